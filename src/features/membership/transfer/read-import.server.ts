import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { MembershipApp, MembershipDatabase } from '../app.ts'
import type { MemberImport, MemberImportRows, MemberImports, RowOutcome } from './import-schema.ts'

/** The imports of the last weeks, the latest first. */
export async function listImports({ db }: Pick<MembershipApp, 'db'>): Promise<z.infer<typeof MemberImports>> {
  const rows = await db
    .selectFrom('member_imports')
    .selectAll()
    .where('read_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  const waiting = await countInvitations(db)
  return { imports: rows.map((row) => importOf(row, waiting)) }
}

/** @throws {AppError} `members.import_unknown`, 404 */
export async function readImport({ db }: Pick<MembershipApp, 'db'>, { id }: { id: string }): Promise<MemberImport> {
  const row = isUuid(id)
    ? await db.selectFrom('member_imports').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (row === undefined) throw unknownImport()
  return importOf(row, await countInvitations(db))
}

const rowsOnPage = 100

/**
 * The report row by row, in the order of the file.
 * @param input.after the line after which it goes on
 * @throws {AppError} `members.import_unknown`, 404
 */
export async function readImportRows(
  app: Pick<MembershipApp, 'db'>,
  { id, outcome, after }: { id: string; outcome: RowOutcome | undefined; after: number },
): Promise<z.infer<typeof MemberImportRows>> {
  await readImport(app, { id })
  const rows = await app.db
    .selectFrom('member_import_rows')
    .selectAll()
    .where('import_id', '=', id)
    .where('line', '>', after)
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome as RowOutcome))
    .orderBy('line')
    .limit(rowsOnPage + 1)
    .execute()
  return {
    rows: rows.slice(0, rowsOnPage).map((row) => ({
      line: row.line,
      email: row.email,
      name: row.name,
      createdAt: row.member_since?.toISOString() ?? null,
      vipUntil: row.vip_until?.toISOString() ?? null,
      outcome: row.outcome,
      reason: row.reason,
    })),
    hasMore: rows.length > rowsOnPage,
  }
}

export function unknownImport(): AppError {
  return new AppError({
    code: 'members.import_unknown',
    status: 404,
    message: 'There is no such import, or no longer.',
  })
}

/** Exact up to a number that nobody waits out anyway. */
async function countInvitations(db: MembershipApp['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from member_invitations`.execute(db)
  return rows[0]?.count ?? 0
}

function importOf(row: Selectable<MembershipDatabase['member_imports']>, invitationsWaiting: number): MemberImport {
  const state =
    row.read_at === null
      ? 'reading'
      : row.confirmed_at === null
        ? 'ready'
        : row.finished_at === null
          ? 'running'
          : 'done'
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    state,
    finishedAt: row.finished_at?.toISOString() ?? null,
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    counts: {
      new: row.new_count,
      existing: row.existing_count,
      rejected: row.rejected_count,
      made: row.made_count,
    },
    invitationsWaiting,
  }
}
