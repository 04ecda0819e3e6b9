import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { openLog } from '../platform/log.ts'
import { sandboxMissing, startSandbox, type StartingSandbox } from './start-sandbox.ts'

let dataDir: string
let sandbox: StartingSandbox
let said: { level: number; msg: string; reason?: string }[]

beforeEach(async () => {
  said = []
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-sandbox-'))
})
afterEach(async () => {
  await sandbox.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const output = new Writable({
  write(line: Buffer, _encoding, done) {
    said.push(JSON.parse(line.toString()) as (typeof said)[number])
    done()
  },
})
const missing = () => said.filter(({ msg }) => msg === sandboxMissing)

/** Starts what a script does in the sandbox's place at its first tries, and the next ones. */
async function start(code: string, withinMs = 20_000): Promise<StartingSandbox> {
  const script = join(dataDir, 'sandbox.mjs')
  const tries = join(dataDir, 'tries')
  await writeFile(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(tries)}, 'x')
    const tries = readFileSync(${JSON.stringify(tries)}).length
    const listen = () => { process.send({ listening: 'http://localhost:1' }); process.on('disconnect', () => process.exit()) }
    ${code}`,
  )
  sandbox = startSandbox(readConfig({ DATA_DIR: dataDir }), openLog('info', output), process.env, {
    script,
    withinMs,
    againMs: 50,
  })
  return sandbox
}

test('a sandbox that is refused at its start is tried again until it is there, and one line says so', async () => {
  const { first, running } = await start('if (tries < 4) process.exit(3); else listen()')
  expect(await first).toBeUndefined()
  expect(missing()).toEqual([expect.objectContaining({ level: 40, reason: 'It ended at its start, with code 3.' })])
  expect(await running).toMatchObject({ url: 'http://localhost:1', payments: { apiBase: 'http://127.0.0.1:1' } })
  expect(missing()).toHaveLength(1)
})

test('a sandbox that takes too long is tried again with more time', async () => {
  const { first, running } = await start('if (tries < 2) setInterval(() => {}, 1_000); else listen()', 1_000)
  expect(await first).toBeUndefined()
  expect(missing()).toEqual([expect.objectContaining({ reason: 'It was not there within 1 s.' })])
  expect(await running).toMatchObject({ url: 'http://localhost:1' })
})

test('a stop does not wait for a sandbox that does not start', async () => {
  const { running, stop } = await start('setInterval(() => {}, 1_000)')
  await stop()
  expect(await running).toBeUndefined()
  expect(missing()).toEqual([])
})
