import { sql } from 'kysely'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import type { DownloadOfMember } from './gateway-schema.ts'

/** The caller's own downloads for their data export, the latest first. An item that they may not see any more has no name. */
export async function exportDownloads(app: CatalogueApp, viewer: Viewer): Promise<DownloadOfMember[]> {
  const rows = await app.db
    .selectFrom('download_events')
    .select(['item_id as itemId', 'slot', 'host', sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day')])
    .where('user_id', '=', requireMember(viewer).id)
    .orderBy('download_events.day', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const names = await app.listing.readNames([...new Set(rows.map(({ itemId }) => itemId))], viewer)
  return rows.map(({ itemId, ...row }) => ({ ...row, itemId, item: names.get(itemId)?.name ?? null }))
}
