import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Config, PaymentsConfig } from '../platform/config/config.ts'
import type { Log } from '../platform/log.ts'
import { makePrivateFolder } from '../platform/private-folder.ts'

/** The sandbox that runs beside the site while no Stripe keys are set. */
export interface SandboxProcess {
  /** How the site speaks to it. */
  payments: PaymentsConfig
  /** Where its own pages are. */
  url: string
  /** Tells it where the site takes its events. */
  sendEventsTo(url: string): void
  /** The site is stopping: a signal to the whole group of processes reaches the sandbox as well. */
  expectEnd(): void
  stop(): Promise<void>
}

const startTimeoutMs = 20_000
/** How long after another a process of the same group may hear of a signal. */
const signalSpreadMs = 500

/**
 * Starts the Stripe sandbox as a process of its own, on this machine only: what it sells costs nothing, so nobody from
 * outside may reach it. It ends with this process, however that ends, and learns nothing else of its environment.
 */
export async function startSandbox(
  config: Pick<Config, 'dataDir' | 'payments' | 'port' | 'brandName'>,
  log: Log,
  { PATH, NODE_ENV }: NodeJS.ProcessEnv,
): Promise<SandboxProcess> {
  const folder = join(config.dataDir, 'sandbox')
  await makePrivateFolder(folder)
  const key = (): string => randomBytes(18).toString('hex')
  const payments: PaymentsConfig = {
    ...config.payments,
    // Both are good for this run alone.
    secretKey: `sk_test_sandbox${key()}`,
    webhookSecrets: [`whsec_sandbox${key()}`],
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'sandbox', 'main.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      PATH,
      NODE_ENV,
      SANDBOX_HOST: '127.0.0.1',
      // The next one, where there is one.
      SANDBOX_PORT: String(config.port === 0 || config.port === 65_535 ? 0 : config.port + 1),
      SANDBOX_PUBLIC_HOST: 'localhost',
      SANDBOX_SECRET_KEY: payments.secretKey,
      SANDBOX_WEBHOOK_SECRET: payments.webhookSecrets[0],
      SANDBOX_PRICE_MONTHLY: payments.prices.monthly[0],
      SANDBOX_PRICE_ANNUAL: payments.prices.annual[0],
      SANDBOX_BRAND_NAME: config.brandName,
      SANDBOX_STATE_FILE: join(folder, 'state.json'),
    },
  })
  const url = await listening(child)
  let isStopping = false
  child.once('exit', (code, signal) => {
    // Of one signal to both processes, the sandbox's end may be heard of first.
    setTimeout(() => {
      if (!isStopping)
        log.error({ code, signal }, 'The payment sandbox has ended: nobody can buy until the next start.')
    }, signalSpreadMs).unref()
  })
  log.warn({ url }, 'TEST MODE: no Stripe keys are set. The built-in sandbox takes payments, and no card is charged.')
  return {
    payments: { ...payments, apiBase: url.replace('//localhost', '//127.0.0.1') },
    url,
    sendEventsTo(webhookUrl) {
      if (child.connected) child.send({ webhookUrl })
    },
    expectEnd() {
      isStopping = true
    },
    async stop() {
      isStopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('The payment sandbox does not start.'))
    }, startTimeoutMs)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timeout)
      reject(new Error(`The payment sandbox ended at its start, with code ${code}.`))
    })
    child.once('message', (message: { listening?: unknown }) => {
      clearTimeout(timeout)
      if (typeof message.listening === 'string') resolve(message.listening)
      else reject(new Error('The payment sandbox does not say where it listens.'))
    })
  })
}
