import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from '../platform/log.ts'
import { openRateLimits } from '../platform/rate-limit/rate-limits.ts'
import { RefusalPace } from './refusal-pace.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** As much of a response as the pace knows. */
class Response extends EventEmitter {
  destroyed = false
  destroy(): this {
    this.destroyed = true
    this.emit('close')
    return this
  }
}

async function refuse(pace: RefusalPace, count: number) {
  const sent: number[] = []
  const responses = Array.from({ length: count }, (_, i) => {
    const response = new Response()
    void pace.answer(response as never, () => sent.push(i))
    return response
  })
  await vi.advanceTimersByTimeAsync(0)
  return { sent, responses }
}

test('the first 50 refusals of a second are answered at once, the others half a second later, spread over a quarter', async () => {
  const pace = new RefusalPace(openRateLimits({ redisUrl: undefined }, openLog('silent')))
  const { sent } = await refuse(pace, 300)
  expect(sent).toHaveLength(50)
  await vi.advanceTimersByTimeAsync(499)
  expect(sent).toHaveLength(50)
  await vi.advanceTimersByTimeAsync(125)
  expect(sent.length).toBeGreaterThan(130)
  expect(sent.length).toBeLessThan(220)
  await vi.advanceTimersByTimeAsync(126)
  expect(sent).toHaveLength(300)
  expect(pace.waiting).toBe(0)
  // A new second has begun.
  await vi.advanceTimersByTimeAsync(300)
  expect((await refuse(pace, 50)).sent).toHaveLength(50)
})

test('beyond 1,000 that wait the connection is closed, and whoever goes makes room', async () => {
  const pace = new RefusalPace(openRateLimits({ redisUrl: undefined }, openLog('silent')))
  const { sent, responses } = await refuse(pace, 1_060)
  expect(responses.filter(({ destroyed }) => destroyed)).toHaveLength(10)
  expect(pace.waiting).toBe(1_000)
  for (const response of responses.slice(50, 60)) response.destroy()
  await vi.advanceTimersByTimeAsync(0)
  expect(pace.waiting).toBe(990)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toHaveLength(1_040)
  // A connection that closes after the answer was counted already.
  for (const response of responses) response.emit('close')
  expect(pace.waiting).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
