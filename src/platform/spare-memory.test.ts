import { expect, it } from 'vitest'
import { SpareMemory } from './spare-memory.ts'

it('gives the same memory to one piece of work after the other', async () => {
  const spare = new SpareMemory(8)
  const first = await spare.use(async (allocate) => allocate(4))
  const second = await spare.use(async (allocate) => allocate(4))
  expect(second.buffer).toBe(first.buffer)
})

it('takes the memory back from work that fails', async () => {
  const spare = new SpareMemory(8)
  let taken: Buffer | undefined
  const failed = spare.use(async (allocate) => {
    taken = allocate(4)
    throw new Error('failed')
  })
  await expect(failed).rejects.toThrow('failed')
  expect((await spare.use(async (allocate) => allocate(4))).buffer).toBe(taken?.buffer)
})

it('gives work at the same time memory of its own', async () => {
  const spare = new SpareMemory(8)
  await spare.use(async (allocate) => {
    const outer = allocate(4).fill(1)
    await spare.use(async (allocateInner) => allocateInner(4).fill(2))
    expect([...outer]).toEqual([1, 1, 1, 1])
  })
})

it('gives parts that do not overlap, and more than it has', async () => {
  await new SpareMemory(8).use(async (allocate) => {
    const parts = [3, 5, 9].map((size, i) => allocate(size).fill(i))
    expect(parts.map((part) => [part.length, new Set(part)])).toEqual([
      [3, new Set([0])],
      [5, new Set([1])],
      [9, new Set([2])],
    ])
  })
})
