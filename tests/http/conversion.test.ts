import { beforeAll, expect, test } from 'vitest'
import { anonymous } from '../../src/features/office/viewer/viewer.ts'
import { syncMember } from '../../src/features/membership/sync/sync-customer.server.ts'
import { readStatisticsReport } from '../../src/features/site/statistics/read-statistics-report.server.ts'
import { someItems } from '../harness/items.ts'
import { post } from '../harness/members.ts'
import { aBuyer, behindProxy, sessionIn } from '../harness/purchases.ts'
import { sandboxServerOfFile } from '../harness/sandbox.ts'

const server = sandboxServerOfFile({ env: behindProxy })

beforeAll(async () => {
  await someItems(server.app, [{ name: 'Moby Dick' }])
})

test('a membership that was bought from the page of an entry counts for the entry, and for nobody', async () => {
  const { text } = await server.request('/western/moby-dick')
  expect(text).toContain('/plans?entry=moby-dick')
  expect((await server.request('/plans?entry=moby-dick')).status).toBe(200)
  const buyer = await aBuyer(server)
  const order = { email: buyer.email, planType: 'monthly', entry: 'moby-dick' }
  const session = sessionIn(await post(server, '/pay/vip-payment', order, buyer.headers))
  // An invalid slug keeps nobody from paying.
  const odd = await post(server, '/pay/vip-payment', { ...order, entry: 5 }, buyer.headers)
  expect(sessionIn(odd)).toBe(session)
  await post(server, '/pay/vip-payment', order, buyer.headers)
  const taken = (await server.request('/auth/export', { headers: buyer.headers })).json()
  expect(taken).toMatchObject({ membership: { checkoutFromEntry: 'moby-dick' } })
  await server.sandbox.control.pay(session)
  await syncMember(server.app, { userId: buyer.id, cause: 'success' })
  const { conversion } = await readStatisticsReport(server.app, anonymous, '30d')
  expect(conversion).toEqual([
    { slug: 'moby-dick', name: 'Moby Dick', to: '/western/moby-dick', downloads: 0, checkouts: 1, purchases: 1 },
  ])
  expect(await server.app.db.selectFrom('checkout_origins').selectAll().execute()).toEqual([])
})
