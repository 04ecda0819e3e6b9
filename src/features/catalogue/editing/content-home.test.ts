import { expect, test } from 'vitest'
import { deleteAllItems, someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { fillDemoCatalogue } from '../demo/fill-demo-catalogue.server.ts'
import { readFirstEntry } from './content-home.server.ts'

const testApp = appOfFile({ now: new Date().toISOString() })

test('the first entry is done once something has been entered beside the demo, and not again when all is gone', async () => {
  const { app } = testApp
  await fillDemoCatalogue({ ...app, config: { ...app.config, demo: true } })
  expect(await app.db.selectFrom('items').select('no').limit(1).execute()).toHaveLength(1)
  expect(await readFirstEntry(app)).toMatchObject({
    title: 'Add entries of your own',
    isDone: false,
    to: '/admin/settings?edit=new',
  })
  await someItems(app, [{ status: 'draft' }])
  expect(await readFirstEntry(app)).toMatchObject({ isDone: true })
  await deleteAllItems(app)
  expect(await readFirstEntry(app)).toMatchObject({ isDone: false })
})
