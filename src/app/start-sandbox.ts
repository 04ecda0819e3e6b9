import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PastPurchase, PlayPast } from '../features/membership/demo/demo-purchases.server.ts'
import type { Config } from './config.ts'
import type { PaymentsConfig } from '../features/membership/membership-config.server.ts'
import type { Log } from '../platform/log.ts'
import { isBuilt, packageRoot } from '../platform/package-files.ts'
import { makePrivateFolder } from '../platform/private-folder.ts'

/** The sandbox that runs beside the site while no Stripe keys are set. */
export interface SandboxProcess {
  payments: PaymentsConfig
  /** The address of its own pages. */
  url: string
  sendEventsTo(url: string): void
  /** Lets memberships have been bought before now. @returns the customer of each member */
  playPast: PlayPast
  /** The site is stopping: a signal to the whole group of processes reaches the sandbox as well. */
  expectEnd(): void
  stop(): Promise<void>
}

/** How long it may take, as the machine may be slow. */
const startTimeoutMs = 60_000
const playTimeoutMs = 20_000
/** How long after another a process of the same group may hear of a signal. */
const signalSpreadMs = 500

type SandboxConfig = Pick<Config, 'dataDir' | 'payments' | 'port' | 'brandName'>

/** Starts the sandbox. The site runs without it where that fails: one line says so. */
export async function startSandbox(
  config: SandboxConfig,
  log: Log,
  env: NodeJS.ProcessEnv,
  {
    script = join(packageRoot, isBuilt ? 'build/server/sandbox.js' : 'sandbox/main.ts'),
    withinMs = startTimeoutMs,
  }: { script?: string; withinMs?: number } = {},
): Promise<SandboxProcess | undefined> {
  try {
    return await tryToStart(config, log, env, { script, withinMs })
  } catch (error) {
    log.warn({ reason: (error as Error).message }, sandboxMissing)
    return undefined
  }
}

export const sandboxMissing =
  'The payment sandbox does not start: the site is open without it, and nothing can be bought until the next start.'

/**
 * Starts the Stripe sandbox as a process of its own, on this machine only: what it sells costs nothing, so nobody from
 * outside may reach it. It ends with this process, however that ends, and learns nothing else of its environment.
 */
async function tryToStart(
  config: SandboxConfig,
  log: Log,
  { PATH, NODE_ENV }: NodeJS.ProcessEnv,
  { script, withinMs }: { script: string; withinMs: number },
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
  const child = spawn(process.execPath, [script], {
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
  const url = await listening(child, withinMs)
  let isStopping = false
  child.once('exit', (code, signal) => {
    // A signal to both processes may end the sandbox first.
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
    playPast: (purchases) => answerOf(child, { purchases }),
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

/** Asks the sandbox to play a past, and waits for its customers. */
function answerOf(child: ChildProcess, message: { purchases: readonly PastPurchase[] }): ReturnType<PlayPast> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      clearTimeout(timeout)
      child.off('message', onMessage)
      child.off('exit', onExit)
      outcome()
    }
    const timeout = setTimeout(
      () => settle(() => reject(new Error('The payment sandbox does not answer.'))),
      playTimeoutMs,
    )
    const onExit = (): void => settle(() => reject(new Error('The payment sandbox has ended.')))
    const onMessage = (answer: { played?: Record<string, string>; notPlayed?: string }): void => {
      const { played, notPlayed } = answer
      if (played !== undefined) settle(() => resolve(played))
      else if (notPlayed !== undefined) settle(() => reject(new Error(notPlayed)))
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.send(message)
  })
}

async function listening(child: ChildProcess, withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`It was not there within ${withinMs / 1_000} s.`))
    }, withinMs)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timeout)
      reject(new Error(`It ended at its start, with code ${code}.`))
    })
    child.once('message', (message: { listening?: unknown }) => {
      clearTimeout(timeout)
      if (typeof message.listening === 'string') resolve(message.listening)
      else reject(new Error('It does not say where it listens.'))
    })
  })
}
