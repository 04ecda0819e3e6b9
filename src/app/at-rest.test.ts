import { PGlite } from '@electric-sql/pglite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test, vi } from 'vitest'
import { anItem } from '../../tests/harness/items.ts'
import { openTestApp } from '../../tests/harness/test-app.ts'

test.runIf(inject('preparedDatabase').engine === 'embedded')(
  'a site at rest asks the embedded database nothing between two minutes of the clock',
  async () => {
    await using own = await openTestApp({ jobs: true })
    const { app } = own
    const asked = vi.spyOn(PGlite.prototype, 'execProtocolRawSync')
    await anItem(app)
    expect(asked).toHaveBeenCalled()
    const askedWithin = async (ms: number): Promise<number> => {
      asked.mockClear()
      await sleep(ms)
      return asked.mock.calls.length
    }
    // First it reads what has just changed, and looks once into every queue.
    await expect.poll(() => askedWithin(500), { timeout: 30_000 }).toBe(0)
    expect(await askedWithin(2_000)).toBe(0)
  },
)
