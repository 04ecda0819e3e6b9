import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

const aTimer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

test('The second of two quick calls is the first one', async () => {
  const once = oneAtATime<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  let calls = 0
  const call = (): Promise<string> => {
    calls += 1
    return promise
  }
  const [first, second] = [once('this', call), once('this', call)]
  resolve('done')
  expect(await Promise.all([first, second])).toEqual(['done', 'done'])
  expect(calls).toBe(1)
})

test('A call that comes before the outcome of the one before can be drawn is not made', async () => {
  const once = oneAtATime<number>()
  let calls = 0
  const call = (): Promise<number> => Promise.resolve((calls += 1))
  await once('this', call)
  await once('this', call)
  expect(calls).toBe(1)
  await aTimer()
  await once('this', call)
  expect(calls).toBe(2)
})

test('A call that fails is told of, and can be made again', async () => {
  const once = oneAtATime<number>()
  await expect(once('this', () => Promise.reject(new Error('No network.')))).rejects.toThrow('No network.')
  await aTimer()
  expect(await once('this', () => Promise.resolve(1))).toBe(1)
})

test('Calls about different things do not wait for one another', async () => {
  const once = oneAtATime<string>()
  const first = once('this', () => new Promise<string>(() => undefined))
  expect(await once('that', () => Promise.resolve('that'))).toBe('that')
  expect(await Promise.race([first, aTimer()])).toBeUndefined()
})
