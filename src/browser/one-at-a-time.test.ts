import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

const ignore = (): void => undefined

test('The second of two quick calls is the first one', async () => {
  const { once } = oneAtATime<string>(ignore)
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

test('A call that comes before the outcome of the one before is drawn is not made, one right after it is', async () => {
  const { once, drawn } = oneAtATime<number>(ignore)
  let calls = 0
  const call = (): Promise<number> => Promise.resolve((calls += 1))
  await once('this', call)
  await once('this', call)
  expect(calls).toBe(1)
  drawn()
  await once('this', call)
  expect(calls).toBe(2)
})

test('What is drawn releases only what has settled', async () => {
  const { once, drawn } = oneAtATime<string>(ignore)
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = once('this', () => promise)
  await once('that', () => Promise.resolve('that'))
  drawn()
  const second = once('this', () => Promise.resolve('made again'))
  resolve('made once')
  expect(await Promise.all([first, second])).toEqual(['made once', 'made once'])
})

test('A call that fails is told of, and can be made again', async () => {
  let outcomes = 0
  const { once, drawn } = oneAtATime<number>(() => (outcomes += 1))
  await expect(once('this', () => Promise.reject(new Error('No network.')))).rejects.toThrow('No network.')
  expect(outcomes).toBe(1)
  drawn()
  expect(await once('this', () => Promise.resolve(1))).toBe(1)
})

test('Calls about different things do not wait for one another', async () => {
  const { once } = oneAtATime<string>(ignore)
  const first = once('this', () => new Promise<string>(ignore))
  expect(await once('that', () => Promise.resolve('that'))).toBe('that')
  const aTimer = new Promise<void>((resolve) => setTimeout(resolve))
  expect(await Promise.race([first, aTimer])).toBeUndefined()
})
