import { expect, test } from 'vitest'
import { someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { gatherLinks, readGathered } from '../links/gather-links.server.ts'
import { followIdleGateway } from './follow-idle-gateway.server.ts'

const testApp = appOfFile({ now: new Date().toISOString() })

test('the plans promise nothing of downloads while no link of a free entry is on a file host', async () => {
  const { app } = testApp
  const follow = async (): Promise<[isIdle: boolean, monthly: string[]]> => {
    await gatherLinks(app)
    await followIdleGateway(app, await readGathered(app))
    await app.listing.catchUp()
    return [app.gateway.isIdle, app.texts.list('plans.monthly')]
  }
  // An empty site sells what it will have.
  expect(await follow()).toEqual([false, expect.arrayContaining(['Direct downloads'])])
  await someItems(app, [
    { name: 'Elsewhere', link: 'https://mega.nz.books.example/1' },
    { name: 'Of VIPs', contentType: 'vip-western', link: 'https://mega.nz/file/vip' },
  ])
  expect(await follow()).toEqual([true, expect.not.arrayContaining(['Direct downloads'])])
  expect(app.gateway.state.inForce).toBe('local')
  const { version } = app.listing
  expect(await follow()).toEqual([true, expect.anything()])
  expect(app.listing.version).toBe(version)
  await someItems(app, [{ name: 'On a host', link: 'https://www.mega.nz/file/free' }])
  expect(await follow()).toEqual([false, expect.arrayContaining(['Direct downloads'])])
})
