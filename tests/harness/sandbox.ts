import { openSandbox, type RunningSandbox } from '../../sandbox/sandbox.ts'
import type { App } from '../../src/app/app.ts'
import { drainJobs } from './drain.ts'
import { openTestServer, type TestServer } from './test-server.ts'
import { keepOpen, type TestAppOptions } from './test-app.ts'

const webhookSecret = 'whsec_for_the_tests'
const prices = { monthly: 'price_test_monthly', annual: 'price_test_annual' }

/** A site and the Stripe that it speaks to, under one clock. */
export interface SandboxServer extends TestServer {
  sandbox: RunningSandbox
}

/** Server and sandbox of a test file (`keepOpen`). */
export function sandboxServerOfFile(options: TestAppOptions = {}): SandboxServer {
  return keepOpen(() => openSandboxServer(options))
}

/** The whole server beside a sandbox of its own; the server has its keys as it would have Stripe's. */
export async function openSandboxServer(overrides: TestAppOptions = {}): Promise<SandboxServer> {
  const { now = '2024-03-15T12:00:00Z', env = {} } = overrides
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
    ...overrides,
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

/**
 * Has everything told that the sandbox has to tell, and all of it worked off: a sync may cancel at Stripe, of which
 * Stripe tells as well.
 */
export async function drainWebhooks({ app, sandbox }: Pick<SandboxServer, 'app' | 'sandbox'>): Promise<void> {
  const end = Date.now() + 90_000
  for (let round = 0; app.jobs.isWorking ? Date.now() < end : round < 10; round += 1) {
    await sandbox.control.idle()
    await drainJobs(app)
    const reported = sandbox.control.events.length
    await sandbox.control.idle()
    const waiting = await unhandledEvents(app)
    if (waiting.length === 0 && sandbox.control.events.length === reported) return
    // A server that does its jobs by itself tries a failed one again after its wait.
    if (app.jobs.isWorking) await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error(`Events wait: ${(await unhandledEvents(app)).join(', ')}.`)
}

/** The types of the events that came and are not worked off. */
async function unhandledEvents({ db }: Pick<App, 'db'>): Promise<string[]> {
  const waiting = await db.selectFrom('stripe_events').select('type').where('handled_at', 'is', null).execute()
  return waiting.map(({ type }) => type)
}
