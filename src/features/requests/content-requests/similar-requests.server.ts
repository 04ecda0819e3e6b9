import { sql } from 'kysely'
import { likenessTo } from '../../catalogue/item/likeness.ts'
import { evenly, partsOfText } from '../../catalogue/item/name-text.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp } from '../app.ts'
import { foldTitle, trigramsOfPart } from './folded-title.ts'
import { isOpenFor, readForMember } from './read-requests.server.ts'
import type { RequestForMember } from './request-schema.ts'

/** How many parts of a title are looked for, and how many titles with one of them are compared. */
const maxParts = 8
const maxCompared = 100
const maxShown = 5
/** From here on a title is worth a look. */
const alike = 0.4

/** Open requests whose titles are like what somebody types, the most alike first. */
export async function findSimilarRequests(
  app: RequestsApp,
  viewer: Viewer,
  { title }: { title: string },
): Promise<RequestForMember[]> {
  const folded = foldTitle(title)
  const parts = evenly(partsOfText(folded), maxParts).map(trigramsOfPart)
  if (parts.length === 0) return []
  const conditions = parts.map((trigrams) => sql<boolean>`r.title_grams @> ${trigrams}::int[]`)
  const shared = conditions.map((isShared) => sql`(${isShared})::int`)
  // Apart from its limit: else the planner hopes to meet enough of them soon, and reads the whole table.
  const { rows } = await sql<{ id: string; title_folded: string }>`
    with matching as materialized (
      select r.id, r.title_folded, ${sql.join(shared, sql` + `)} as shared from content_requests r
       where ${isOpenFor(app, viewer)} and (${sql.join(conditions, sql` or `)}))
    select id, title_folded from matching order by shared desc, id desc limit ${maxCompared}`.execute(app.db)
  const likenessOf = likenessTo(folded)
  const ids = rows
    .map(({ id, title_folded }) => ({ id, likeness: likenessOf(title_folded) }))
    .filter(({ likeness }) => likeness >= alike)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, maxShown)
    .map(({ id }) => id)
  return readForMember(app, viewer, ids)
}
