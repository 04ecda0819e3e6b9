import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { SqlRunner } from '../queryable.ts'
import { readRows } from './read-tables.ts'

/** A transaction whose fetches give one row, and then what is said. */
function reading(second: () => Promise<unknown>): ReturnType<typeof readRows> {
  let fetched = 0
  const executor = {
    transformQuery: (node: unknown) => node,
    compileQuery: (node: { sqlFragments: string[] }) => node.sqlFragments[0],
    executeQuery: (text: string) => {
      if (!text.startsWith('fetch')) return Promise.resolve({ rows: [] })
      fetched += 1
      return fetched === 1 ? Promise.resolve({ rows: [{ row: '(1)' }] }) : second()
    },
  }
  return readRows({ getExecutor: () => executor } as unknown as SqlRunner, {
    name: 'plays',
    columns: [{ name: 'title', type: 'text' }],
  })
}

test('who stops early goes on when no fetch is under way any more', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const rows = reading(() => promise)
  expect((await rows.next()).value).toEqual({ count: 1, json: '["(1)"]' })
  let hasStopped = false
  const stopping = rows.return(undefined).then(() => (hasStopped = true))
  await turn()
  expect(hasStopped).toBe(false)
  resolve({ rows: [] })
  await stopping
})

test('a fetch that fails meanwhile fails the next step, and nothing else', async () => {
  const rows = reading(() => Promise.reject(new Error('The connection is gone.')))
  await rows.next()
  await turn()
  await expect(rows.next()).rejects.toThrow('The connection is gone.')
})
