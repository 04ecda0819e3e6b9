import { expect, test, vi } from 'vitest'
import type { Attempt } from './job.ts'
import { isPassing, overcomeLocks } from './passing-faults.ts'

const attempt = (isLast: boolean): Attempt => ({
  id: 'one',
  number: 1,
  isLast,
  signal: new AbortController().signal,
  isStopping: () => false,
})
const locked = (code = '55P03') => new Error('busy', { cause: Object.assign(new Error('lock timeout'), { code }) })

function tryIt(fails: number, { isLast = true, error = locked(), stopping = new AbortController().signal } = {}) {
  let left = fails
  const work = vi.fn<() => Promise<void>>(() => {
    left -= 1
    return left >= 0 ? Promise.reject(error) : Promise.resolve()
  })
  const onAgain = vi.fn<(error: unknown) => void>()
  return { work, onAgain, outcome: overcomeLocks(work, attempt(isLast), { waitsMs: [1, 1, 1], stopping, onAgain }) }
}

test.each(['55P03', '40001', '40P01'])('what fails with %s passes by itself, also behind another error', (code) => {
  expect(isPassing(locked(code))).toBe(true)
})

test('other faults do not', () => {
  expect(isPassing(locked('23505'))).toBe(false)
  expect(isPassing(new Error('paper jam'))).toBe(false)
})

test('a last attempt that met a lock is tried again, a bounded number of times', async () => {
  const some = tryIt(2)
  await expect(some.outcome).resolves.toBeUndefined()
  expect(some.work).toHaveBeenCalledTimes(3)
  expect(some.onAgain).toHaveBeenCalledTimes(2)
  const many = tryIt(9)
  await expect(many.outcome).rejects.toThrow('busy')
  expect(many.work).toHaveBeenCalledTimes(4)
})

test('nothing else is: not an earlier attempt, which has its retries, nor another fault, nor while the process stops', async () => {
  for (const given of [{ isLast: false }, { error: new Error('paper jam') }, { stopping: AbortSignal.abort() }]) {
    const { work, outcome } = tryIt(1, given)
    await expect(outcome).rejects.toThrow()
    expect(work).toHaveBeenCalledTimes(1)
  }
})
