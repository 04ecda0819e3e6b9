import { expect, test } from 'vitest'
import { EventLoopRounds } from './event-loop-rounds.ts'

test('each has a round of the event loop of its own, in the order in which they ask', async () => {
  const rounds = new EventLoopRounds()
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
    await rounds.next()
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

test('groups have their rounds by turns, also where one of them asks again and again', async () => {
  const rounds = new EventLoopRounds()
  const order: string[] = []
  const ask = (name: string, group: string): Promise<void> => rounds.next(group).then(() => void order.push(name))
  const flood = Array.from({ length: 6 }, (_, i) => ask(`flood ${i}`, 'one network'))
  await flood[1]
  const others = ['a', 'b', 'c'].map((name) => ask(name, `network of ${name}`))
  others.push(ask('again', 'network of a'))
  await Promise.all([...flood, ...others])
  expect(order).toEqual(['flood 0', 'flood 1', 'a', 'b', 'c', 'flood 2', 'again', 'flood 3', 'flood 4', 'flood 5'])
})
