import { openSandbox, type RunningSandbox } from '../../sandbox/sandbox.ts'
import type { App } from '../../src/platform/app.ts'
import { openTestServer, type TestServer } from './test-server.ts'
import type { TestAppWish } from './test-app.ts'

const webhookSecret = 'whsec_for_the_tests'
const prices = { monthly: 'price_test_monthly', annual: 'price_test_annual' }

/** A site and the Stripe that it speaks to, under one clock. */
export interface SandboxServer extends TestServer {
  sandbox: RunningSandbox
}

/** The whole server beside a sandbox of its own; the server has its keys as it would have Stripe's. */
export async function openSandboxServer(wish: TestAppWish = {}): Promise<SandboxServer> {
  const { now = '2024-03-15T12:00:00Z', env = {} } = wish
  const opened: { server?: TestServer } = {}
  const secretKey = 'sk_test_forthetests'
  const sandbox = await openSandbox({
    secretKey,
    webhookSecret,
    prices,
    now: () => opened.server?.clock.now() ?? Date.parse(now),
  })
  const server = await openTestServer({
    jobs: true,
    ...wish,
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_MONTHLY: prices.monthly,
      STRIPE_PRICE_ANNUAL: prices.annual,
      STRIPE_API_BASE: sandbox.url,
      ...env,
    },
  })
  opened.server = server
  sandbox.setWebhookUrl(`${server.url}/webhooks/stripe`)
  return {
    ...server,
    sandbox,
    async close() {
      await sandbox.control.idle()
      await server.close()
      await sandbox.close()
    },
  }
}

/** Resolves when every event that came has been worked off. */
export async function eventsHandled({ db }: Pick<App, 'db'>, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs
  for (;;) {
    const waiting = await db.selectFrom('stripe_events').select('type').where('handled_at', 'is', null).execute()
    if (waiting.length === 0) return
    if (Date.now() > end) throw new Error(`Events wait: ${waiting.map(({ type }) => type).join(', ')}.`)
    await new Promise((wake) => setTimeout(wake, 30))
  }
}
