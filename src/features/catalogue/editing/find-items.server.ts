import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { foldText, likeAnywhere, wordsOf } from '../item/name-text.ts'
import type { ItemStatus } from './content-sections.ts'
import { maxGathered } from './list-items.server.ts'

export interface FoundItem {
  id: string
  name: string
  status: ItemStatus
  creators: string[] | null
}

/**
 * The first entries of every status and section for a text: those of this very name, those that begin with it, those that
 * hold it as it stands, then the newest.
 */
export async function findItems(
  { db, listing }: Pick<CatalogueApp, 'db' | 'listing'>,
  text: string,
  limit: number,
): Promise<FoundItem[]> {
  const words = wordsOf(text)
  if (words.length === 0) return []
  // The index knows of an edit a moment later.
  await listing.catchUp()
  // Where there are more, the oldest are not looked at.
  const published = listing.publishedWith(words, {}).slice(-maxGathered)
  const name = sql`lower(name)`
  const typed = foldText(text).toLowerCase()
  const { rows } = await sql<FoundItem>`
    select id, name, status, creators from items
     where no = any(${published}::int[])
        or no in (select no from items
                   where status <> 'published' and searched like all (${words.map(likeAnywhere)}::text[]) limit ${maxGathered})
     order by ${name} = ${typed} desc, starts_with(${name}, ${typed}) desc, strpos(${name}, ${typed}) > 0 desc, post_date desc, no desc limit ${limit}`.execute(
    db,
  )
  return rows
}
