import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { openLog } from '../platform/log.ts'
import { sandboxMissing, startSandbox, type SandboxProcess } from './start-sandbox.ts'

let dataDir: string
let sandbox: SandboxProcess | undefined
let said: { level: number; msg: string; reason?: string }[]

beforeEach(async () => {
  said = []
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-sandbox-'))
})
afterEach(async () => {
  await sandbox?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const output = new Writable({
  write(line: Buffer, _encoding, done) {
    said.push(JSON.parse(line.toString()) as (typeof said)[number])
    done()
  },
})
const missing = () => said.filter(({ msg }) => msg === sandboxMissing)

/** Starts what a script does in the sandbox's place. */
async function start(code: string, withinMs = 20_000): Promise<SandboxProcess | undefined> {
  const script = join(dataDir, 'sandbox.mjs')
  await writeFile(
    script,
    `const listen = () => { process.send({ listening: 'http://localhost:1' }); process.on('disconnect', () => process.exit()) }
    ${code}`,
  )
  sandbox = await startSandbox(readConfig({ DATA_DIR: dataDir }), openLog('info', output), process.env, {
    script,
    withinMs,
  })
  return sandbox
}

test('a sandbox is started, and one that fails at its start is missing: one line says why', async () => {
  expect(await start('listen()')).toMatchObject({
    url: 'http://localhost:1',
    payments: { apiBase: 'http://127.0.0.1:1' },
  })
  expect(missing()).toEqual([])
  await sandbox?.stop()
  expect(await start('process.exit(3)')).toBeUndefined()
  expect(missing()).toEqual([expect.objectContaining({ level: 40, reason: 'It ended at its start, with code 3.' })])
})

test('a sandbox that takes too long is missing', async () => {
  expect(await start('setInterval(() => {}, 1_000)', 1_000)).toBeUndefined()
  expect(missing()).toEqual([expect.objectContaining({ reason: 'It was not there within 1 s.' })])
})
