import { expect, test } from 'vitest'
import { MailPace } from './mail-pace.ts'

const attempt = { signal: new AbortController().signal, isStopping: () => false }

test('emails go out evenly, and one that comes late does not make up for the pause', async () => {
  let now = 1_000
  const pace = new MailPace(60, { now: () => now, wait: (ms) => Promise.resolve((now += ms)) })
  const gone: number[] = []
  for (let count = 0; count < 4; count += 1) {
    await pace.turn(attempt)
    gone.push(now)
  }
  expect(gone).toEqual([1_000, 2_000, 3_000, 4_000])
  now = 60_000
  await pace.turn(attempt)
  await pace.turn(attempt)
  expect(now).toBe(61_000)
})

test('a wait ends when the process is about to stop, and the email is tried again later', async () => {
  const pace = new MailPace(1)
  await pace.turn(attempt)
  await expect(pace.turn({ ...attempt, isStopping: () => true })).rejects.toThrow('The process stops.')
})
