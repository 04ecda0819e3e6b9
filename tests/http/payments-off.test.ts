import { beforeAll, describe, expect, test, vi } from 'vitest'
import { catchUpWithStripe } from '../../src/features/membership/jobs.server.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* A site that sells nothing, and says so (docs/spec/security.md#modes). */

const sentence = 'Memberships are not sold on this site at the moment.'

const server = serverOfFile({ env: { PAYMENTS: 'off', PUBLIC_URL: 'https://library.example' } })

beforeAll(async () => {
  // A call of Stripe would fail: the address of a sandbox that does not run.
  server.app.payments.stripe = () => Promise.reject(new Error('Stripe was asked.'))
})

describe('where payments are off', () => {
  test('checkout, portal and webhook answer 503 with a sentence', async () => {
    const member = await aMember(server.app)
    const headers = bearer(await signIn(server, member))
    const answers = [
      await post(server, '/pay/vip-payment', { email: member.email, planType: 'monthly' }, headers),
      await post(server, '/stripe-portal/create-portal-session', {}, headers),
      await post(server, '/webhooks/stripe', {}, { 'stripe-signature': 't=1,v1=x' }),
    ]
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(503)
      expect(answer.json()).toMatchObject({ code: 'payments.off', message: sentence })
    }
  })

  test('the plans page says so, and has nothing to buy with', async () => {
    const { status, text } = await server.request('/plans')
    expect(status).toBe(200)
    expect(text).toContain(sentence)
    expect(text).not.toMatch(/<button[^>]*>(Get VIP Access|Get Annual Plan)/)
    expect(text).not.toMatch(/TEST MODE|pages of Stripe|"Offer"/)
    // Plans and prices are still shown.
    expect(text).toMatch(/\$12\.00/)
    expect(text).toContain('Access Free Content')
  })

  test('nothing is compared with Stripe, neither at the start nor by the clock nor on order', async () => {
    await catchUpWithStripe(server.app)
    const head = await aMember(server.app, { isAdmin: true })
    const headers = bearer(await signIn(server, head))
    const report = await server.request('/api/billing/drift', { headers })
    expect(report.json()).toMatchObject({ runs: [], payments: { isSandbox: false, isLive: false, isOff: true } })
    const order = await post(server, '/api/billing/reconcile', {}, headers)
    expect(order.status, order.text).toBe(503)
    expect(await server.app.db.selectFrom('billing_runs').select('id').execute()).toEqual([])
  })

  test('administrators are told why Stripe is not asked, and the log has no error of it', async () => {
    const [head, member] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app)]
    await server.app.db
      .insertInto('billing_customers')
      .values({ user_id: member.id, stripe_customer_id: `cus_${member.id.replaceAll('-', '')}` })
      .execute()
    const error = vi.spyOn(server.app.log, 'error')
    const billing = await server.request(`/api/billing/members/${member.id}`, {
      headers: bearer(await signIn(server, head)),
    })
    expect(billing.json()).toMatchObject({
      remote: { unavailable: 'Payments are switched off here, so Stripe is not asked. This is our own state alone.' },
    })
    expect(error).not.toHaveBeenCalled()
  })

  test('access stays until its date', async () => {
    const member = await aMember(server.app, { isVip: true })
    const answer = await server.request('/pay/membership', { headers: bearer(await signIn(server, member)) })
    expect(answer.json()).toMatchObject({ isVip: true })
  })

  test('an account can be deleted, unless its subscription would go on', async () => {
    const leave = async (hasSubscription: boolean) => {
      const member = await aMember(server.app)
      const customer = `cus_${member.id.replaceAll('-', '')}`
      await server.app.db
        .insertInto('billing_customers')
        .values({ user_id: member.id, stripe_customer_id: customer })
        .execute()
      if (hasSubscription) await aSubscription(member.id)
      const headers = { ...bearer(await signIn(server, member)), 'api-key': server.app.config.clientApiKey }
      return server.request(`/auth/delete-account/${member.email}`, { method: 'DELETE', headers })
    }
    expect((await leave(false)).status).toBe(200)
    const refused = await leave(true)
    expect(refused.status, refused.text).toBe(409)
    expect(refused.text).toContain('cannot be cancelled while payments are switched off')
  })
})

async function aSubscription(userId: string): Promise<void> {
  const now = new Date(server.clock.now())
  await server.app.db
    .insertInto('subscriptions')
    .values({
      stripe_id: `sub_${userId.replaceAll('-', '')}`,
      user_id: userId,
      plan_type: 'monthly',
      status: 'active',
      period_starts_at: now,
      period_ends_at: new Date(now.getTime() + 30 * 86_400_000),
      started_at: now,
    })
    .execute()
}
