import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { notifyAdministrators } from '../../accounts/administrators/notify-administrators.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { addInvitedMembers, dropInvitations } from '../../accounts/people/add-invited-members.server.ts'
import { beginRun, endRun } from '../../office/runs/begin-run.server.ts'
import type { HeldRun, RunSteps } from '../../office/runs/work-on-run.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import { grantUntil } from '../access/grant-until.server.ts'
import type { MembershipApp, MembershipTransaction } from '../app.ts'
import { readImport, unknownImport } from './read-import.server.ts'
import type { MemberImport } from './import-schema.ts'
import { memberRuns } from './member-runs.ts'

const rowsAtOnce = 200

/**
 * Starts an import that was read before, in this administrator's name; a stopped or failed one goes on with the rest.
 * While it is under way or done nothing changes. Every administrator is notified: the site writes to everybody in the
 * file.
 * @throws {AppError} `members.import_unknown`, 404; `members.import_reading`, 409, while its file is still being read
 */
export async function startImport(
  app: Pick<MembershipApp, 'db' | 'clock' | 'jobs' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<MemberImport> {
  const { state } = await readImport(app, { id })
  if (state === 'reading') {
    throw importBeingRead()
  }
  const { id: by } = requireMember(viewer)
  await app.db.transaction().execute(async (trx) => {
    const confirmed = await trx
      .updateTable('member_imports')
      .set({ confirmed_at: new Date(app.clock.now()), started_by: by, stopped_at: null, failure: null })
      .where('id', '=', id)
      .where('confirmed_at', 'is', null)
      .returning('new_count')
      .executeTakeFirst()
    if (confirmed === undefined) return
    await beginRun(app, trx, memberRuns, { subjectId: id, kind: 'member_import', viewer })
    const vip = await trx
      .selectFrom('member_import_rows')
      .select((by) => [by.fn.count<string>('line').as('rows'), by.fn.max('vip_until').as('until')])
      .where('import_id', '=', id)
      .where('outcome', '=', 'new')
      .where('vip_until', 'is not', null)
      .executeTakeFirstOrThrow()
    const vipRows = Number(vip.rows)
    const act = { action: 'members.imported', by: { memberId: by } } as const
    await notifyAdministrators(app, trx, { ...act, count: confirmed.new_count })
    await recordAuditEvent(trx, {
      ...act,
      subject: { kind: 'member_import', id },
      details: {
        rows: confirmed.new_count,
        ...(vipRows === 0 ? {} : { vipRows, lastVipUntil: vip.until }),
      },
    })
  })
  return readImport(app, { id })
}

/**
 * Stops an import after the current batch; one that is not running is unchanged. Imported members stay, and it may be
 * started again.
 * @throws {AppError} `members.import_unknown`, 404
 */
export async function cancelImport(
  app: Pick<MembershipApp, 'db'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<MemberImport> {
  await readImport(app, { id })
  await app.db.transaction().execute(async (trx) => {
    // The run first: a step holds it until its commit, and takes the import after it.
    if (!(await endRun(trx, memberRuns, { subjectId: id }))) return
    await stop(trx, { id, by: requireMember(viewer).id, failure: null })
  })
  return readImport(app, { id })
}

/**
 * Stops a running import, and deletes its queued invitations. Imported members stay.
 * @throws {AppError} `members.import_unknown`, 404
 */
export async function stopInvitations(
  app: Pick<MembershipApp, 'db'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<MemberImport> {
  await readImport(app, { id })
  const { id: by } = requireMember(viewer)
  await app.db.transaction().execute(async (trx) => {
    // The run first: no step adds any after this.
    if (await endRun(trx, memberRuns, { subjectId: id })) await stop(trx, { id, by, failure: null })
    const dropped = await dropInvitations(trx, id)
    if (dropped === 0) return
    await recordAuditEvent(trx, {
      action: 'members.invitations_stopped',
      by: { memberId: by },
      subject: { kind: 'member_import', id },
      details: { dropped },
    })
  })
  return readImport(app, { id })
}

/** An import that is under way waits again from now on, for the rows that are left. */
async function stop(
  trx: MembershipTransaction,
  { id, by, failure }: { id: string; by: string; failure: string | null },
): Promise<void> {
  const stopped = await trx
    .updateTable('member_imports')
    .set({ confirmed_at: null, stopped_at: sql<Date>`now()`, failure })
    .where('id', '=', id)
    .returning(['made_count', 'new_count'])
    .executeTakeFirstOrThrow()
  await recordAuditEvent(trx, {
    action: 'members.imported',
    by: { memberId: by },
    subject: { kind: 'member_import', id },
    details: {
      outcome: failure === null ? 'cancelled' : 'failed',
      made: stopped.made_count,
      left: stopped.new_count,
    },
  })
}

/**
 * Makes the members of an import, in batches. A batch and how far the import is commit together, so a process that takes
 * over goes on with the rows that are left.
 */
const importSteps: RunSteps<MembershipApp> = {
  async *open(app, run) {
    let { position } = run
    for (;;) {
      const done = await runBatch(app, run, position)
      if (done === 0) return
      position += done
      yield
    }
  },
  fail: (trx, { subjectId: id, begunBy: by }, failure) => stop(trx, { id, by, failure }),
}

export const memberRunSteps: Readonly<Record<(typeof memberRuns.kinds)[number], RunSteps<MembershipApp>>> = {
  member_import: importSteps,
}

/** @returns how many rows were done; after none, the import is done */
async function runBatch(app: Pick<MembershipApp, 'db' | 'clock'>, run: HeldRun, position: number): Promise<number> {
  const id = run.subjectId
  const now = new Date(app.clock.now())
  return app.db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('member_import_rows')
      .selectAll()
      .where('import_id', '=', id)
      .where('outcome', '=', 'new')
      .orderBy('line')
      .limit(rowsAtOnce)
      .execute()
    if (rows.length === 0) {
      await run.finish(trx)
      await trx.updateTable('member_imports').set({ finished_at: now }).where('id', '=', id).execute()
      return 0
    }
    // Before the work: a process that has lost the run waits here for the one that has it, and does nothing.
    await run.advance(trx, position + rows.length)
    const members = rows.map((row) => ({
      row,
      id: uuidv7(),
      email: row.email,
      name: row.name,
      createdAt: row.member_since ?? now,
    }))
    const made = await addInvitedMembers(trx, members, id)
    await grantUntil(
      app,
      trx,
      members.flatMap(({ id: userId, row, createdAt }) =>
        row.vip_until === null || !made.has(userId) ? [] : [{ userId, from: createdAt, until: row.vip_until }],
      ),
      run.begunBy,
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
    return rows.length
  })
}

/**
 * Drops what was read of a file, and its report. It stays while invitations of it wait: it is the place where they can be
 * stopped.
 * @throws {AppError} `members.import_unknown`, 404; `members.import_running`, 409
 */
export async function discardImport(
  app: Pick<MembershipApp, 'db'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  const { state, counts, invitationsWaiting } = await readImport(app, { id })
  if (state === 'running') throw stillRunning('This import is under way. Wait until it is done, or stop it.')
  if (invitationsWaiting > 0) {
    throw stillRunning(
      'Invitations of this import still wait to be sent. Stop them first, or wait until they are sent.',
    )
  }
  await app.db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('member_imports')
      .where('id', '=', id)
      .where((where) => where.or([where('confirmed_at', 'is', null), where('finished_at', 'is not', null)]))
      .returning('id')
      .executeTakeFirstOrThrow(() => unknownImport())
    await recordAuditEvent(trx, {
      action: 'members.import_deleted',
      by: { memberId: requireMember(viewer).id },
      subject: { kind: 'member_import', id },
      details: { made: counts.made },
    })
  })
}

export const stillRunning = defineError({
  code: 'members.import_running',
  status: 409,
  remedy: 'Ask how far the import is, until it is done, or stop it by POST /api/member-imports/{id}/cancel.',
})

/**
 * Rows of files hold addresses of people: a report is deleted after a month, an unused file after a week. The rest of a
 * broken upload that could not be deleted at once, as on a full disk, goes in the next night.
 */
const reportMs = 30 * 86_400_000
const unusedMs = 7 * 86_400_000
/** Longer than an upload may take. */
const unreadMs = 2 * 3_600_000

export async function deleteOldImports({ db, clock }: Pick<MembershipApp, 'db' | 'clock'>): Promise<void> {
  const ago = (ms: number): Date => new Date(clock.now() - ms)
  await db
    .deleteFrom('member_imports')
    .where((where) =>
      where.or([
        where('finished_at', '<', ago(reportMs)),
        where.and([where('confirmed_at', 'is', null), where('created_at', '<', ago(unusedMs))]),
        where.and([where('read_at', 'is', null), where('created_at', '<', ago(unreadMs))]),
      ]),
    )
    .execute()
}

export const importBeingRead = defineError({
  code: 'members.import_reading',
  status: 409,
  sentence: 'The file of this import is still being read, or was never read to its end. Upload it again.',
  remedy: 'Wait for the answer to the upload, or upload the file again.',
})
