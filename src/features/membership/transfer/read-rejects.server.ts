import type { MembershipApp } from '../app.ts'
import { type MembersFileFormat, memberColumns } from './members-file.ts'
import { unknownImport } from './read-import.server.ts'
import { headerOfMembers, linesOfMembers } from './write-members-file.server.ts'

const rowsAtOnce = 1_000
const columns = [...memberColumns, 'line', 'reason']

/**
 * The rejected rows of an import as they came, with their line and the reason, in the format of the file: mended, it can be
 * imported itself.
 * @throws {AppError} `members.import_unknown`, 404
 */
export async function readRejects(
  { db }: Pick<MembershipApp, 'db'>,
  { id }: { id: string },
): Promise<{ format: MembersFileFormat; uploadedAt: Date; pieces: AsyncIterable<string> }> {
  const found = await db
    .selectFrom('member_imports')
    .select(['format', 'created_at'])
    .where('id', '=', id)
    .where('read_at', 'is not', null)
    .executeTakeFirstOrThrow(() => unknownImport())
  return { format: found.format, uploadedAt: found.created_at, pieces: pieces(db, id, found.format) }
}

async function* pieces(db: MembershipApp['db'], id: string, format: MembersFileFormat): AsyncGenerator<string> {
  const header = headerOfMembers(format, columns)
  if (header !== '') yield header
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('member_import_rows')
      .select(['line', 'cells', 'reason'])
      .where('import_id', '=', id)
      .where('outcome', '=', 'rejected')
      .where('line', '>', after)
      .orderBy('line')
      .limit(rowsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.line
    yield linesOfMembers(
      format,
      columns,
      rows.map(({ line, cells, reason }) => ({ ...cells, line, reason })),
    )
  }
}
