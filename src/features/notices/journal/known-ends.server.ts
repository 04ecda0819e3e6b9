import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { NoticesDatabase, NoticesTransaction } from '../app.ts'
import type { ReadJournal } from './journal-file.server.ts'

/** The ends of the journals that the database knows, so that a cut journal is noticed. */
export interface KnownEnds {
  /** The end of this journal at its last write. */
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

/** A longer journal is not cut: a restored backup may know only its beginning. */
export function isCutSince({ lines, hash }: Pick<ReadJournal, 'lines' | 'hash'>, { own }: KnownEnds): boolean {
  return own !== undefined && (lines < own.lines || (lines === own.lines && hash !== own.hash))
}

export async function recordEnd(
  trx: NoticesTransaction,
  { state, lines, hash }: Pick<ReadJournal, 'state' | 'lines' | 'hash'>,
): Promise<void> {
  if (state.journal === undefined) throw new Error('A journal of removals does not say which one it is.')
  await trx
    .insertInto('removal_journals')
    .values({ id: state.journal, lines, hash })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lines, hash, recorded_at: sql<Date>`now()` }))
    .execute()
}
