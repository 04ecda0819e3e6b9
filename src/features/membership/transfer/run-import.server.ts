import { uuidv7 } from 'uuidv7'
import { recordAuditEvent } from '../../accounts/audit/record-audit-event.server.ts'
import { addInvitedMembers } from '../../accounts/people/add-invited-members.server.ts'
import { isAdministrator } from '../../accounts/user/is-administrator.server.ts'
import { requireMember, type Viewer } from '../../accounts/user/viewer.ts'
import { AppError } from '../../../platform/errors.ts'
import { grantUntil } from '../access/grant-until.server.ts'
import type { MembershipApp } from '../app.ts'
import { readImport, unknownImport } from './read-import.server.ts'
import type { MemberImport } from './import-schema.ts'

const rowsAtOnce = 200

/**
 * Has an import done that was read before, in this administrator's name. Asking again changes nothing.
 * @throws {AppError} `members.import_unknown`, 404; `members.import_reading`, 409, while its file is still being read
 */
export async function startImport(
  app: Pick<MembershipApp, 'db' | 'clock' | 'jobs'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<MemberImport> {
  const { state } = await readImport(app, { id })
  if (state === 'reading') {
    throw new AppError({
      code: 'members.import_reading',
      status: 409,
      message: 'The file of this import is still being read, or was never read to its end. Upload it again.',
    })
  }
  const { id: by } = requireMember(viewer)
  await app.db.transaction().execute(async (trx) => {
    const confirmed = await trx
      .updateTable('member_imports')
      .set({ confirmed_at: new Date(app.clock.now()), started_by: by, stopped_at: null })
      .where('id', '=', id)
      .where('confirmed_at', 'is', null)
      .returning('new_count')
      .executeTakeFirst()
    if (confirmed === undefined) return
    await app.jobs.add(trx, 'membership.import-members', { importId: id })
    await recordAuditEvent(trx, {
      action: 'members.imported',
      by: { memberId: by },
      subject: { kind: 'member_import', id },
      details: { rows: confirmed.new_count },
    })
  })
  return readImport(app, { id })
}

/**
 * Makes the members of an import, in batches. What was done stays done: a process that takes over, or another one at the
 * same time, goes on with the rows that are left. It stops when whoever started it is no administrator any more.
 * @param isOver asked after each batch
 * @returns whether nothing is left to do
 */
export async function runImport(
  app: Pick<MembershipApp, 'db' | 'clock'>,
  { importId, isOver = () => false }: { importId: string; isOver?: () => boolean },
): Promise<boolean> {
  for (;;) {
    const isDone = await runBatch(app, importId)
    if (isDone || isOver()) return isDone
  }
}

async function runBatch(app: Pick<MembershipApp, 'db' | 'clock'>, id: string): Promise<boolean> {
  const now = new Date(app.clock.now())
  return app.db.transaction().execute(async (trx) => {
    // Two at once wait for each other here.
    const held = await trx
      .selectFrom('member_imports')
      .select(['started_by', 'confirmed_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (held === undefined || held.confirmed_at === null) return true
    if (!(await isAdministrator(trx, held.started_by))) {
      await trx
        .updateTable('member_imports')
        .set({ confirmed_at: null, stopped_at: now })
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .execute()
      return true
    }
    const rows = await trx
      .selectFrom('member_import_rows')
      .selectAll()
      .where('import_id', '=', id)
      .where('outcome', '=', 'new')
      .orderBy('line')
      .limit(rowsAtOnce)
      .execute()
    if (rows.length === 0) {
      await trx
        .updateTable('member_imports')
        .set({ finished_at: now })
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .execute()
      return true
    }
    const members = rows.map((row) => ({
      row,
      id: uuidv7(),
      email: row.email,
      name: row.name,
      createdAt: row.member_since ?? now,
    }))
    const made = await addInvitedMembers(trx, members)
    await grantUntil(
      app,
      trx,
      members.flatMap(({ id: userId, row, createdAt }) =>
        row.vip_until === null || !made.has(userId) ? [] : [{ userId, from: createdAt, until: row.vip_until }],
      ),
      held.started_by,
    )
    const lines = (wanted: boolean): number[] =>
      members.filter((member) => made.has(member.id) === wanted).map(({ row }) => row.line)
    // Somebody may have registered since the dry run.
    for (const [outcome, own] of [
      ['made', lines(true)],
      ['existing', lines(false)],
    ] as const) {
      if (own.length === 0) continue
      await trx
        .updateTable('member_import_rows')
        .set({ outcome })
        .where('import_id', '=', id)
        .where('line', 'in', own)
        .execute()
    }
    await trx
      .updateTable('member_imports')
      .set((set) => ({
        new_count: set('new_count', '-', rows.length),
        made_count: set('made_count', '+', made.size),
        existing_count: set('existing_count', '+', rows.length - made.size),
      }))
      .where('id', '=', id)
      .execute()
    return false
  })
}

/**
 * Drops what was read of a file, and its report.
 * @throws {AppError} `members.import_unknown`, 404; `members.import_running`, 409
 */
export async function discardImport(app: Pick<MembershipApp, 'db'>, { id }: { id: string }): Promise<void> {
  const { state } = await readImport(app, { id })
  if (state === 'running') throw stillRunning()
  const gone = await app.db
    .deleteFrom('member_imports')
    .where('id', '=', id)
    .where((where) => where.or([where('confirmed_at', 'is', null), where('finished_at', 'is not', null)]))
    .returning('id')
    .executeTakeFirst()
  if (gone === undefined) throw unknownImport()
}

function stillRunning(): AppError {
  return new AppError({
    code: 'members.import_running',
    status: 409,
    message: 'This import is under way. Wait until it is done.',
  })
}

/** The rows of files hold addresses of people: a report is kept for a month, a file that was never imported for a week. */
const reportMs = 30 * 86_400_000
const unusedMs = 7 * 86_400_000

export async function deleteOldImports({ db, clock }: Pick<MembershipApp, 'db' | 'clock'>): Promise<void> {
  const ago = (ms: number): Date => new Date(clock.now() - ms)
  await db
    .deleteFrom('member_imports')
    .where((where) =>
      where.or([
        where('finished_at', '<', ago(reportMs)),
        where.and([where('confirmed_at', 'is', null), where('created_at', '<', ago(unusedMs))]),
      ]),
    )
    .execute()
}
