import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'

/** Whether entries with links are published, and no link of a free one lies on a file host: nobody passes the gateway then. */
export async function readIsIdle(
  db: Queryable<CatalogueDatabase>,
  { config: { fileHosts } }: Pick<CatalogueApp, 'config'>,
): Promise<boolean> {
  const domains = fileHosts.flatMap((host) => host.domains)
  const { rows } = await sql<{ is_idle: boolean }>`
    select exists (select from item_links) and not exists (
      select from link_checks c join item_links l on l.link_id = c.id join items i on i.no = l.item_no
       where i.content_type not like 'vip%'
         and (rtrim(c.host, '.') = any(${domains}::text[])
           or rtrim(c.host, '.') like any(${domains.map((domain) => `%.${domain}`)}::text[]))) as is_idle`.execute(db)
  return rows[0]?.is_idle === true
}
