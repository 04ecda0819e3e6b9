import { sql } from 'kysely'
import type { NoticesApp } from '../app.ts'
import type { NoticeKind } from '../notice/notice-kinds.ts'
import type { EmailReader } from '../notice/notice-mails.ts'
import { deskOf } from '../notice/notify-desk.server.ts'

type Reading = Pick<NoticesApp, 'db'>

/**
 * The readers of a decision besides the sender: the administrators who attested the rights of its entries, else the
 * contact address. For a notice about a child at risk, the safety officers alone.
 */
export async function concernedBy(app: Reading, kind: NoticeKind, itemIds: readonly string[]): Promise<EmailReader[]> {
  if (kind === 'child-safety') {
    return (await deskOf(app, kind)).map((userId) => ({ who: 'administrator', userId }))
  }
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
     where u.is_admin and u.id::text in (select i.rights_attested_by from items i where i.id = any(${[...itemIds]}::uuid[]))
     order by u.id`.execute(app.db)
  return rows.length === 0 ? [{ who: 'contact' }] : rows.map(({ id }) => ({ who: 'administrator', userId: id }))
}

/** The name and the address of a reader; undefined if they are gone, or may no longer know of it. */
export async function findReader(
  { db, texts }: Pick<NoticesApp, 'db' | 'texts'>,
  reader: EmailReader,
  notice: { kind: NoticeKind; name: string | null; email: string | null },
): Promise<{ name: string; email: string } | undefined> {
  const isSecret = notice.kind === 'child-safety'
  if (reader.who === 'contact') return isSecret ? undefined : { name: '', email: texts.inForce.contactEmail }
  if (reader.who === 'duplicate') {
    const row = await db
      .selectFrom('notices')
      .select(['name', 'email'])
      .where('id', '=', reader.noticeId)
      .executeTakeFirst()
    return row === undefined || row.email === null ? undefined : { name: row.name ?? '', email: row.email }
  }
  if (reader.who === 'sender')
    return notice.email === null ? undefined : { name: notice.name ?? '', email: notice.email }
  return db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', reader.userId)
    .where(isSecret ? 'is_safety_officer' : 'is_admin', '=', true)
    .executeTakeFirst()
}
