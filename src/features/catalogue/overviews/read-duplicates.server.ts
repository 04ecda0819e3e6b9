import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { ContentType } from '../item/content-type.ts'
import { foldText } from '../item/name-text.ts'
import { betweenParts } from '../item/searched-text.ts'
import type { Duplicates } from './overviews-schema.ts'

type Group = Duplicates['groups'][number]
type Entry = Group['entries'][number]

/** How many groups of each kind are shown, and how many entries are gathered to find them. */
const maxGroups = 100
const maxGathered = 3_000

/** Entries of any status but removed with the same title and creators, without case and accents; then those that share a link. */
export async function readDuplicates(app: Pick<CatalogueApp, 'db'>): Promise<Duplicates> {
  const [byTitle, byLink] = await Promise.all([groupsByTitle(app), groupsByLink(app)])
  const known = new Set(byTitle.groups.map(setOf))
  return {
    groups: [...byTitle.groups, ...byLink.groups.filter((group) => !known.has(setOf(group)))],
    isCut: byTitle.isCut || byLink.isCut,
  }
}

/** The same entries are one group, whatever they have alike. */
function setOf({ entries }: Group): string {
  return entries
    .map(({ id }) => id)
    .toSorted()
    .join(' ')
}

interface FoundRow {
  alike: string
  id: string
  name: string
  slug: string
  creators: string[] | null
  category: string
  content_type: string
  status: Entry['status']
  post_date: Date
}

/** Titles are counted by their hashes: those of two titles that are alike by chance form no group. */
async function groupsByTitle({ db }: Pick<CatalogueApp, 'db'>): Promise<{ groups: Group[]; isCut: boolean }> {
  const title = sql`split_part(i.searched, ${betweenParts}, 1)`
  const { rows } = await sql<FoundRow>`
    with titles as materialized (
      select i.no, hashtextextended(${title}, 0) as title from items i where i.status <> 'removed'),
    repeated as (
      select no from titles where title in (select title from titles group by 1 having count(*) > 1)
       order by title, no limit ${maxGathered})
    select ${title} as alike, i.id, i.name, i.slug, i.creators, c.name as category, i.content_type, i.status, i.post_date
      from items i join categories c on c.id = i.category_id
     where i.no = any(array(select no from repeated)) order by 1, i.no`.execute(db)
  const groups = groupsOf(rows, 'title', (row) =>
    [row.alike, ...(row.creators ?? []).map(foldText).toSorted()].join('\n'),
  )
  return { groups: groups.slice(0, maxGroups), isCut: groups.length > maxGroups || rows.length === maxGathered }
}

/** Published entries alone: their links are gathered for the checks. */
async function groupsByLink({ db }: Pick<CatalogueApp, 'db'>): Promise<{ groups: Group[]; isCut: boolean }> {
  const { rows } = await sql<FoundRow>`
    select distinct on (shared.address, i.no)
           shared.address as alike, i.id, i.name, i.slug, i.creators, c.name as category, i.content_type, i.status, i.post_date
      from (select k.id, k.address from link_checks k
             where k.id in (select link_id from item_links group by link_id having min(item_no) < max(item_no))
             order by k.id limit ${maxGroups + 1}) shared
      join item_links l on l.link_id = shared.id
      join items i on i.no = l.item_no
      join categories c on c.id = i.category_id
     order by shared.address, i.no limit ${maxGathered}`.execute(db)
  const groups = groupsOf(rows, 'file', ({ alike }) => alike)
  // Entries that share several links are one group.
  const unique = [...new Map(groups.toReversed().map((group) => [setOf(group), group])).values()].toReversed()
  return { groups: unique.slice(0, maxGroups), isCut: groups.length > maxGroups }
}

function groupsOf(rows: readonly FoundRow[], same: Group['same'], keyOf: (row: FoundRow) => string): Group[] {
  return [...Map.groupBy(rows, keyOf).values()].flatMap((found) => {
    const [first] = found
    if (first === undefined || found.length < 2) return []
    return [
      {
        same,
        text: same === 'title' ? first.name : first.alike,
        entries: found.map(({ id, name, slug, creators, category, content_type, status, post_date }) => ({
          id,
          name,
          slug,
          creators: creators ?? [],
          category,
          contentType: content_type as ContentType,
          status,
          postDate: post_date.toISOString(),
        })),
      },
    ]
  })
}
