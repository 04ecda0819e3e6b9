import { expect, onTestFinished, test, vi } from 'vitest'
import { notifyChange } from './changes.ts'
import { askedSinceChange } from './current-answer.ts'

test('an answer is taken at once, and asked for anew where a change came before it', async () => {
  let answers = 0
  const ask = vi.fn<() => Promise<number>>(() => Promise.resolve((answers += 1)))
  const overtaken = vi.fn<() => void>()
  expect(await askedSinceChange(ask, overtaken)).toBe(1)

  ask.mockImplementationOnce(() => {
    notifyChange('/account/name')
    return Promise.resolve(0)
  })
  expect(await askedSinceChange(ask, overtaken)).toBe(2)
  expect(ask).toHaveBeenCalledTimes(3)

  // A visit is noted beside the questions of a page, and changes nothing in them.
  ask.mockImplementationOnce(() => {
    notifyChange('/account/visit')
    return Promise.resolve(0)
  })
  expect(await askedSinceChange(ask, overtaken)).toBe(0)
  expect(overtaken).not.toHaveBeenCalled()
})

test('changes in a row do not keep the answer away; it is asked for again when they have ended', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const overtaken = vi.fn<() => void>()
  const ask = vi.fn<() => Promise<string>>(() => {
    notifyChange()
    return Promise.resolve('shown')
  })
  expect(await askedSinceChange(ask, overtaken)).toBe('shown')
  expect(ask).toHaveBeenCalledTimes(3)

  vi.advanceTimersByTime(900)
  notifyChange()
  vi.advanceTimersByTime(900)
  expect(overtaken).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2000)
  expect(overtaken).toHaveBeenCalledOnce()
})

test('a question that fails is not asked again here', async () => {
  const ask = vi.fn<() => Promise<never>>(() => {
    notifyChange()
    return Promise.reject(new Error('away'))
  })
  await expect(askedSinceChange(ask, () => undefined)).rejects.toThrow('away')
  expect(ask).toHaveBeenCalledOnce()
})
