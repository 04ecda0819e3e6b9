import { sql } from 'kysely'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import type { NoticeInQueue } from './desk-schema.ts'
import { readInQueue } from './list-notices.server.ts'
import { visibleKinds } from './may-see.ts'

/**
 * The newest notices, of every state, with a text in their reference, their sender, a reported address or an entry's name, of
 * those that this administrator may know of.
 */
export async function findNotices(
  app: Pick<NoticesApp, 'db' | 'config'>,
  viewer: Viewer,
  text: string,
  limit: number,
): Promise<NoticeInQueue[]> {
  const { rows } = await sql<{ id: string }>`
    select id from notices where kind = any(${visibleKinds(viewer)}::text[]) and strpos(search_text, lower(${text})) > 0
     order by id desc limit ${limit}`.execute(app.db)
  const ids = rows.map(({ id }) => id)
  const found = await readInQueue(app, viewer, ids)
  // By the time of their receipt: they were read in the order of their ids.
  return found.toReversed()
}
