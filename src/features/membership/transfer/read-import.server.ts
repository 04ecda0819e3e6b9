import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { defineError } from '../../../platform/errors.ts'
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
  const waiting = await countInvitations(
    db,
    rows.map(({ id }) => id),
  )
  return { imports: rows.map((row) => importOf(row, waiting)) }
}

/** @throws {AppError} `members.import_unknown`, 404 */
export async function readImport({ db }: Pick<MembershipApp, 'db'>, { id }: { id: string }): Promise<MemberImport> {
  const row = isUuid(id)
    ? await db.selectFrom('member_imports').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (row === undefined) throw unknownImport()
  return importOf(row, await countInvitations(db, [row.id]))
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
  const shown = rows.slice(0, rowsOnPage)
  return {
    rows: shown.map((row) => ({
      line: row.line,
      email: row.email,
      name: row.name,
      createdAt: row.member_since?.toISOString() ?? null,
      vipUntil: row.vip_until?.toISOString() ?? null,
      outcome: row.outcome,
      reason: row.reason,
    })),
    next: rows.length > rowsOnPage ? (shown.at(-1)?.line ?? null) : null,
  }
}

export const unknownImport = defineError({
  code: 'members.import_unknown',
  status: 404,
  sentence: 'There is no such import, or it was deleted.',
  remedy: 'Upload the file again.',
})

/** By the id of an import, where any wait. */
async function countInvitations(db: MembershipApp['db'], importIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ import_id: string; count: number }>`
    select import_id, count(*)::int as count from member_invitations
     where import_id = any(${importIds}::uuid[]) group by import_id`.execute(db)
  return new Map(rows.map(({ import_id, count }) => [import_id, count]))
}

function importOf(
  row: Selectable<MembershipDatabase['member_imports']>,
  waiting: ReadonlyMap<string, number>,
): MemberImport {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    state: stateOf(row),
    finishedAt: row.finished_at?.toISOString() ?? null,
    failure: row.failure,
    counts: {
      new: row.new_count,
      existing: row.existing_count,
      rejected: row.rejected_count,
      made: row.made_count,
    },
    invitationsWaiting: waiting.get(row.id) ?? 0,
  }
}

function stateOf(row: Selectable<MembershipDatabase['member_imports']>): MemberImport['state'] {
  if (row.read_at === null) return 'reading'
  if (row.confirmed_at !== null) return row.finished_at === null ? 'running' : 'done'
  if (row.stopped_at === null) return 'ready'
  return row.failure === null ? 'stopped' : 'failed'
}
