import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tryEndpoint, webhookSecret } from './try-sandbox.ts'

const environment = {
  SANDBOX_HOST: '127.0.0.1',
  SANDBOX_PORT: '0',
  SANDBOX_SECRET_KEY: 'sk_test_process',
  SANDBOX_WEBHOOK_SECRET: webhookSecret,
  SANDBOX_PRICE_MONTHLY: 'price_m',
  SANDBOX_PRICE_ANNUAL: 'price_a',
}

function start(additions: Record<string, string> = {}): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...environment, ...additions },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()))
  onTestFinished(() => {
    if (child.exitCode === null) child.kill('SIGKILL')
  })
  return { child, said: () => said }
}

async function listening(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, 'message')) as [{ listening: string }]
  return message.listening
}

test('the process says where it listens, and ends with its parent', async () => {
  const { child } = start()
  const url = await listening(child)
  expect((await fetch(`${url}/`)).status).toBe(200)
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a port that is taken is no obstacle, and SIGTERM is an end', async () => {
  const first = start()
  const url = await listening(first.child)
  const second = start({ SANDBOX_PORT: new URL(url).port })
  const other = await listening(second.child)
  expect(other).not.toBe(url)
  first.child.kill('SIGTERM')
  second.child.kill('SIGTERM')
  expect(await Promise.all([once(first.child, 'exit'), once(second.child, 'exit')])).toEqual([
    [0, null],
    [0, null],
  ])
})

test('it refuses to run beside real keys, or without its own', async () => {
  const beside = start({ STRIPE_SECRET_KEY: 'sk_live_real' })
  expect(await once(beside.child, 'exit')).toEqual([1, null])
  expect(beside.said()).toBe('The payment sandbox refuses to run beside real keys: STRIPE_SECRET_KEY is set.\n')
  const without = start({ SANDBOX_SECRET_KEY: '' })
  expect(await once(without.child, 'exit')).toEqual([1, null])
  expect(without.said()).toBe('The payment sandbox needs SANDBOX_SECRET_KEY.\n')
})

test('events go where the parent says', async () => {
  const endpoint = await tryEndpoint(() => 200)
  const { child } = start()
  const url = await listening(child)
  child.send({ webhookUrl: endpoint.url })
  const headers = { authorization: 'Bearer sk_test_process', 'stripe-version': '2026-10-28.endive' }
  const made = await fetch(`${url}/v1/customers`, { method: 'POST', headers, body: 'email=ada%40example.com' })
  const { id } = (await made.json()) as { id: string }
  await fetch(`${url}/v1/customers/${id}`, { method: 'DELETE', headers })
  await expect.poll(() => endpoint.types(), { timeout: 10_000 }).toEqual(['customer.deleted'])
})
