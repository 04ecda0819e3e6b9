import type { PastPurchase } from './past.ts'
import { openSandbox, type SandboxOptions } from './sandbox.ts'

const tickEveryMs = 3_000

/**
 * The sandbox as a process of its own, started by the site with an IPC channel: it says where it listens, takes the
 * address for its webhooks, and ends when its parent does.
 */
async function main(): Promise<void> {
  const { env } = process
  if ((env['STRIPE_SECRET_KEY'] ?? '') !== '')
    throw new Error('The payment sandbox refuses to run beside real keys: STRIPE_SECRET_KEY is set.')
  const options: SandboxOptions = {
    secretKey: required('SANDBOX_SECRET_KEY'),
    webhookSecret: required('SANDBOX_WEBHOOK_SECRET'),
    prices: { monthly: required('SANDBOX_PRICE_MONTHLY'), annual: required('SANDBOX_PRICE_ANNUAL') },
    ...optional('host', 'SANDBOX_HOST'),
    ...optional('publicHost', 'SANDBOX_PUBLIC_HOST'),
    ...optional('brandName', 'SANDBOX_BRAND_NAME'),
    ...optional('stateFile', 'SANDBOX_STATE_FILE'),
  }
  const sandbox = await openOnSomePort(options, portOf(env['SANDBOX_PORT'] ?? ''))

  const ticking = setInterval(() => {
    sandbox.control.tick().catch((error: unknown) => end(error))
  }, tickEveryMs)

  let ending = false
  const end = (error?: unknown): void => {
    if (ending) return
    ending = true
    clearInterval(ticking)
    if (error !== undefined) console.error(error)
    void (async () => {
      await sandbox.close()
      process.exit(error === undefined ? 0 : 1)
    })()
  }
  process.on('SIGTERM', () => end())
  // Ctrl-C reaches the whole group of processes: the site, which still wants to talk, says when it is over.
  process.on('SIGINT', () => {
    if (!process.connected) end()
  })
  process.on('disconnect', () => end())
  process.on('message', (message) => {
    if (typeof message !== 'object' || message === null) return
    if ('webhookUrl' in message) sandbox.setWebhookUrl(String(message.webhookUrl))
    if ('purchases' in message) {
      try {
        process.send?.({ played: sandbox.playPast(message.purchases as PastPurchase[]) })
      } catch (error) {
        process.send?.({ notPlayed: String(error) })
      }
    }
  })
  // The site may have ended meanwhile: then 'disconnect' ends this process too.
  process.send?.({ listening: sandbox.url }, undefined, undefined, () => {})
}

/** Takes a free port when the wanted one is taken: another sandbox may run beside this one. */
async function openOnSomePort(options: SandboxOptions, port: number) {
  try {
    return await openSandbox({ ...options, port })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    return openSandbox({ ...options, port: 0 })
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`SANDBOX_PORT must be a port number, not '${text}'.`)
  return port
}

function required(name: string): string {
  const value = process.env[name] ?? ''
  if (value === '') throw new Error(`The payment sandbox needs ${name}.`)
  return value
}

function optional<Key extends keyof SandboxOptions>(key: Key, name: string): Partial<Record<Key, string>> {
  const value = process.env[name] ?? ''
  return value === '' ? {} : ({ [key]: value } as Record<Key, string>)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
