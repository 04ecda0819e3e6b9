import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

/** A page that shows outcomes when it is told to. */
function aPage() {
  const shown: (() => void)[] = []
  return {
    whenDrawn: (release: () => void) => void shown.push(release),
    draw() {
      for (const release of shown.splice(0)) release()
    },
  }
}

test('The second of two quick calls is the first one', async () => {
  const once = oneAtATime<string>(aPage().whenDrawn)
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
  const page = aPage()
  const once = oneAtATime<number>(page.whenDrawn)
  let calls = 0
  const call = (): Promise<number> => Promise.resolve((calls += 1))
  await once('this', call)
  await once('this', call)
  expect(calls).toBe(1)
  page.draw()
  await once('this', call)
  expect(calls).toBe(2)
})

test('A call that fails is told of, and can be made again', async () => {
  const page = aPage()
  const once = oneAtATime<number>(page.whenDrawn)
  await expect(once('this', () => Promise.reject(new Error('No network.')))).rejects.toThrow('No network.')
  page.draw()
  expect(await once('this', () => Promise.resolve(1))).toBe(1)
})

test('Calls about different things do not wait for one another', async () => {
  const once = oneAtATime<string>(aPage().whenDrawn)
  const first = once('this', () => new Promise<string>(() => undefined))
  expect(await once('that', () => Promise.resolve('that'))).toBe('that')
  const aTimer = new Promise<void>((resolve) => setTimeout(resolve))
  expect(await Promise.race([first, aTimer])).toBeUndefined()
})
