import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runForRequest } from '../../../../platform/current-request.ts'
import { keptPicture } from './kept-pictures.server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-pictures-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The pictures in the order in which they were begun. */
const begun: string[] = []
let atOnce = 0
let most = 0
/** Each picture under way waits for this. */
let held: Promise<void> = Promise.resolve()

/** @param onLine called when the picture is put in line */
function ask(content: string, address: string, onLine = (): void => {}): Promise<Buffer> {
  const draw = async (): Promise<Buffer> => {
    begun.push(content)
    atOnce += 1
    most = Math.max(most, atOnce)
    await held
    atOnce -= 1
    return Buffer.from('drawn')
  }
  const facts = {
    requestId: content,
    get address() {
      onLine()
      return address
    },
  }
  return runForRequest(facts, () => keptPicture(folder, { content }, draw))
}

/** Holds the pictures under way until this is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return resolve
}

test('a flood of pictures that have yet to be made waits in a line with an end, and others come in between', async () => {
  const release = hold()
  let refusals = 0
  const flood = Array.from({ length: 60 }, (_, i) => ask(`flood ${i}`, '192.0.2.1'))
  for (const one of flood) one.catch(() => (refusals += 1))
  const results = Promise.allSettled(flood)
  await expect.poll(() => refusals).toBeGreaterThan(30)
  await new Promise<void>((inLine) => {
    void ask('a visitor', '198.51.100.7', inLine)
  })
  release()
  await expect.poll(() => begun).toContain('a visitor')
  // Behind the one under way, and the one that was next.
  expect(begun.indexOf('a visitor')).toBeLessThanOrEqual(2)
  const refused = (await results).flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  expect(refused.length).toBeGreaterThan(30)
  expect(refused[0]).toMatchObject({ code: 'site.busy', status: 503 })
  expect(most).toBe(1)
})

test('a picture is made once for all who ask at the same time, and kept ones wait for nobody', async () => {
  const [first, second] = [ask('of two', '192.0.2.1'), ask('of two', '198.51.100.7')]
  expect(await first).toBe(await second)
  expect(begun.filter((content) => content === 'of two')).toHaveLength(1)
  const release = hold()
  const flood = Array.from({ length: 10 }, (_, i) => ask(`again ${i}`, '192.0.2.1'))
  // No other is made before this one is there.
  expect((await ask('of two', '192.0.2.1')).toString()).toBe('drawn')
  release()
  await Promise.all(flood)
})
