import { expect, test } from 'vitest'
import { Rounds } from './rounds.ts'

test('each has a round of the event loop of its own, in the order in which they ask', async () => {
  const rounds = new Rounds()
  const order: string[] = []
  let round = 0
  let isOver = false
  const count = (): void => {
    round += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const begunIn: number[] = []
  const ask = async (name: string): Promise<void> => {
    await rounds.own()
    order.push(name)
    begunIn.push(round)
  }
  await Promise.all([ask('a'), ask('b'), ask('c').then(() => ask('e')), ask('d')])
  // Later, when nobody is in line any more.
  await new Promise((resolve) => setTimeout(resolve, 5))
  await Promise.all([ask('f'), ask('g')])
  isOver = true
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  expect(new Set(begunIn).size).toBe(7)
})
