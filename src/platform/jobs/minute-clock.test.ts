import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MinuteClock } from './minute-clock.ts'

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2024, 2, 15, 12, 0, 30) }))
afterEach(() => void vi.useRealTimers())

/** Expressions of these tests: how many minutes lie between two times. */
function nextAfter(minutes: string, instant: Date): Date {
  const every = Number(minutes) * 60_000
  return new Date((Math.floor(instant.getTime() / every) + 1) * every)
}

test('work is begun at its full minutes, and not before the first of them', async () => {
  const clock = new MinuteClock()
  const begun: string[] = []
  const crons = new Map([
    ['often', '1'],
    ['seldom', '2'],
  ])
  clock.start(crons, nextAfter, async (name) => void begun.push(`${new Date().toISOString().slice(14, 19)} ${name}`))
  await vi.advanceTimersByTimeAsync(150_000)
  expect(begun).toEqual(['01:00 often', '02:00 often', '02:00 seldom', '03:00 often'])
  await clock.stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(begun).toHaveLength(4)
})

test('work that lasts is not begun again beside itself, and a stop waits for it', async () => {
  const clock = new MinuteClock()
  const first = Promise.withResolvers<void>()
  let begun = 0
  clock.start(new Map([['long', '1']]), nextAfter, () => {
    begun += 1
    return begun === 1 ? first.promise : Promise.resolve()
  })
  await vi.advanceTimersByTimeAsync(120_000)
  expect(begun).toBe(1)
  const stopped = vi.fn<() => void>()
  const stopping = clock.stop().then(stopped)
  await vi.advanceTimersByTimeAsync(0)
  expect(stopped).not.toHaveBeenCalled()
  first.resolve()
  await stopping
})

test('a machine that slept begins what was due meanwhile once', async () => {
  const clock = new MinuteClock()
  let begun = 0
  clock.start(new Map([['often', '1']]), nextAfter, async () => void (begun += 1))
  vi.setSystemTime(Date.UTC(2024, 2, 15, 15, 0, 0))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(begun).toBe(1)
  await clock.stop()
})

test('a clock that is set back goes on at the next minute', async () => {
  const clock = new MinuteClock()
  let begun = 0
  clock.start(new Map([['often', '1']]), nextAfter, async () => void (begun += 1))
  await vi.advanceTimersByTimeAsync(30_000)
  vi.setSystemTime(Date.UTC(2024, 2, 15, 9, 0, 30))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(begun).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(begun).toBe(2)
  await clock.stop()
})
