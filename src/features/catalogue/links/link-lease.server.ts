import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { CatalogueApp } from '../app.ts'

/** Longer than a run takes. A holder that has not renewed it within this time is taken for dead. */
const leaseSeconds = 60

/**
 * Takes the right to check links: one process has it at a time, so that hosts are asked as politely by many instances as by one.
 * @returns undefined while another process has it
 */
export async function takeLinkLease({ db }: Pick<CatalogueApp, 'db'>) {
  const lease = randomUUID()
  const until = sql<Date>`now() + ${`${leaseSeconds} seconds`}::interval`
  const taken = await db
    .updateTable('link_work')
    .set({ lease, leased_until: until })
    .where('leased_until', '<=', sql<Date>`now()`)
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n) return undefined
  return {
    /** @returns false when it was lost */
    async renew(): Promise<boolean> {
      const renewed = await db
        .updateTable('link_work')
        .set({ leased_until: until })
        .where('lease', '=', lease)
        .executeTakeFirst()
      return renewed.numUpdatedRows > 0n
    },
    async release(): Promise<void> {
      await db
        .updateTable('link_work')
        .set({ lease: null, leased_until: sql<Date>`'-infinity'` })
        .where('lease', '=', lease)
        .execute()
    },
  }
}
