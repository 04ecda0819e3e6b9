import { uuidv7 } from 'uuidv7'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { MembershipApp, MembershipDatabase } from '../app.ts'
import { type MemberRow, readMembersFile } from './read-members-file.server.ts'
import { readImport } from './read-import.server.ts'
import type { MemberImport } from './import-schema.ts'
import type { Insertable } from 'kysely'

const rowsAtOnce = 500

/**
 * Reads a file of members into the database and records for each row the effect of an import. No member is made. An
 * interrupted upload is deleted at once, or in the next night if the database refuses.
 * @returns the dry run
 * @throws {AppError} `members.file`, 422
 */
export async function stageImport(
  app: Pick<MembershipApp, 'db' | 'clock' | 'log'>,
  viewer: Viewer,
  file: AsyncIterable<Buffer>,
): Promise<MemberImport> {
  const id = uuidv7()
  const { db } = app
  const { format, rows: read } = await readMembersFile(file, { now: app.clock.now() })
  await db
    .insertInto('member_imports')
    .values({ id, format, started_by: requireMember(viewer).id, created_at: new Date(app.clock.now()) })
    .execute()
  try {
    let rows: MemberRow[] = []
    for await (const row of read) {
      rows.push(row)
      if (rows.length < rowsAtOnce) continue
      await stage(app, id, rows)
      rows = []
    }
    await stage(app, id, rows)
    await db
      .updateTable('member_imports')
      .set({ read_at: new Date(app.clock.now()) })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    await db
      .deleteFrom('member_imports')
      .where('id', '=', id)
      .execute()
      .catch((failure: unknown) => app.log.warn({ err: failure }, 'The rest of a file of members is deleted at night.'))
    throw error
  }
  return readImport(app, { id })
}

async function stage({ db }: Pick<MembershipApp, 'db'>, id: string, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return
  const addresses = rows.map(({ emailFolded }) => emailFolded)
  await db.transaction().execute(async (trx) => {
    const members = await trx
      .selectFrom('users')
      .select('email_folded')
      .where('email_folded', 'in', addresses)
      .execute()
    const earlier = await trx
      .selectFrom('member_import_rows')
      .select('email_folded')
      .where('import_id', '=', id)
      .where('outcome', '=', 'new')
      .where('email_folded', 'in', addresses)
      .execute()
    const existing = new Set(members.map(({ email_folded }) => email_folded))
    const seen = new Set(earlier.map(({ email_folded }) => email_folded))
    const counts = { new: 0, existing: 0, rejected: 0 }
    const staged = rows.map((row): Insertable<MembershipDatabase['member_import_rows']> => {
      const fault =
        row.fault ?? (seen.has(row.emailFolded) ? 'The file has this address in an earlier row.' : undefined)
      const outcome = fault !== undefined ? 'rejected' : existing.has(row.emailFolded) ? 'existing' : 'new'
      if (outcome === 'new') seen.add(row.emailFolded)
      counts[outcome] += 1
      return {
        import_id: id,
        line: row.line,
        email: row.email,
        email_folded: row.emailFolded,
        name: row.name,
        member_since: row.memberSince,
        vip_until: row.vipUntil,
        outcome,
        reason: fault ?? (outcome === 'new' ? row.remark : undefined) ?? null,
        cells: outcome === 'rejected' ? JSON.stringify(row.cells) : null,
      }
    })
    await trx.insertInto('member_import_rows').values(staged).execute()
    await trx
      .updateTable('member_imports')
      .set((set) => ({
        new_count: set('new_count', '+', counts.new),
        existing_count: set('existing_count', '+', counts.existing),
        rejected_count: set('rejected_count', '+', counts.rejected),
      }))
      .where('id', '=', id)
      .execute()
  })
}
