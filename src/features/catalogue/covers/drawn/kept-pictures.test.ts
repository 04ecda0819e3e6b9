import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runForRequest } from '../../../../platform/current-request.ts'
import { keptPicture } from './kept-pictures.server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-pictures-'))
})
afterAll(() => rm(folder, { recursive: true }))

let atOnce = 0
let most = 0
async function draw(): Promise<Buffer> {
  atOnce += 1
  most = Math.max(most, atOnce)
  await delay(20)
  atOnce -= 1
  return Buffer.from('drawn')
}
const ask = (content: string, address: string): Promise<Buffer> =>
  runForRequest({ requestId: content, address }, () => keptPicture(folder, { content }, draw))

test('a flood of pictures that have yet to be made waits in a line with an end, and others come in between', async () => {
  const flood = Array.from({ length: 60 }, (_, i) => ask(`flood ${i}`, '192.0.2.1'))
  const results = Promise.allSettled(flood)
  await delay(30)
  const before = performance.now()
  await ask('a visitor', '198.51.100.7')
  expect(performance.now() - before).toBeLessThan(250)
  const refused = (await results).flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  expect(refused.length).toBeGreaterThan(30)
  expect(refused[0]).toMatchObject({ code: 'site.busy', status: 503 })
  expect(most).toBe(1)
})

test('a picture is made once for all who ask at the same time, and kept ones wait for nobody', async () => {
  const [first, second] = [ask('of two', '192.0.2.1'), ask('of two', '198.51.100.7')]
  expect(await first).toBe(await second)
  const flood = Array.from({ length: 10 }, (_, i) => ask(`again ${i}`, '192.0.2.1'))
  const before = performance.now()
  expect((await ask('of two', '192.0.2.1')).toString()).toBe('drawn')
  expect(performance.now() - before).toBeLessThan(20)
  await Promise.all(flood)
})
