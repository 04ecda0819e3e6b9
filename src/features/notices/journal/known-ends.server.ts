import { sql, type Transaction } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { NoticesDatabase } from '../app.ts'
import type { ReadJournal } from './journal-file.server.ts'

/** What the database knows of the journals that were kept: one that was cut since does not go unnoticed. */
export interface KnownEnds {
  /** Where this journal ended when it was last written. */
  own: { lines: number; hash: string } | undefined
  /** How many others there are. */
  others: number
}

export async function readKnownEnds(
  db: Queryable<NoticesDatabase>,
  { state }: Pick<ReadJournal, 'state'>,
): Promise<KnownEnds> {
  const rows = await db.selectFrom('removal_journals').select(['id', 'lines', 'hash']).execute()
  const own = rows.find(({ id }) => id === state.journal)
  return { own, others: rows.length - (own === undefined ? 0 : 1) }
}

/** Of a journal that is longer than the database knows, a restored backup may know the beginning alone. */
export function isCutSince({ lines, hash }: Pick<ReadJournal, 'lines' | 'hash'>, { own }: KnownEnds): boolean {
  return own !== undefined && (lines < own.lines || (lines === own.lines && hash !== own.hash))
}

export async function noteEnd(
  trx: Transaction<NoticesDatabase>,
  { state, lines, hash }: Pick<ReadJournal, 'state' | 'lines' | 'hash'>,
): Promise<void> {
  if (state.journal === undefined) throw new Error('A journal of removals does not say which one it is.')
  await trx
    .insertInto('removal_journals')
    .values({ id: state.journal, lines, hash })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lines, hash, noted_at: sql<Date>`now()` }))
    .execute()
}
