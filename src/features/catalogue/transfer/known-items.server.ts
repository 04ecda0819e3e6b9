import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { freeSlug, makeLongerSlug } from '../item/make-slug.ts'
import type { ReadRow } from './read-row.server.ts'
import type { ImportRun } from './open-import-run.server.ts'

/* Which item a row is about (docs/spec/catalogue.md#import-identity). */

/** Findings in the rows of a batch: the run takes them over once the batch is in. */
type Notes = Pick<ImportRun, 'seen' | 'firstNumbers'>

export interface Known {
  id: string
  slug: string
  externalId: string | null
  status: 'draft' | 'published' | 'restricted' | 'removed'
  restriction: 'rights_lapsed' | 'consent' | 'gate' | 'notice' | null
  digest: string | null
  link: string | null
}

export interface KnownItems {
  byExternalId: Map<string, Known>
  bySlug: Map<string, Known>
  /** The items without externalId whose slug is that of a name with a number: the first of each name and main link. */
  byName: Map<string, Known>
}

/** Also notes in the plan which numbers are taken. */
export async function findKnown(
  db: Queryable<CatalogueDatabase>,
  run: ImportRun,
  plan: Notes,
  rows: ReadRow[],
): Promise<KnownItems> {
  const externalIds = rows.flatMap(({ item }) => item.externalId ?? [])
  const slugs = rows.flatMap(({ item, slug }) => {
    const mayBeLonger = item.externalId === null && item.slug === null && item.creators.length > 0
    return mayBeLonger ? [slug, makeLongerSlug(item)] : [slug]
  })
  const columns = sql<Known>`i.id, i.slug, i.external_id as "externalId", i.status, i.restriction, i.import_digest as digest, i.link`
  const exact = await sql<Known>`
    select ${columns} from items i
     where i.external_id = any(${externalIds}::text[]) or i.slug = any(${slugs}::text[])`.execute(db)
  const byExternalId = new Map(
    exact.rows.flatMap((known) => (known.externalId === null ? [] : [[known.externalId, known]])),
  )
  const bySlug = new Map(exact.rows.map((known) => [known.slug, known]))

  // Only a slug that is made from a name, and taken, is looked for with numbers.
  const bases = new Set<string>()
  const once = new Set<string>()
  for (const { item, slug } of rows) {
    const isMade = item.slug === null && !(item.externalId !== null && byExternalId.has(item.externalId))
    if (isMade && (bySlug.has(slug) || once.has(slug) || run.seen.has(slugKey(slug)))) {
      bases.add(slug).add(makeLongerSlug(item))
    }
    once.add(slug)
  }
  const byName = new Map<string, Known>()
  if (bases.size > 0) {
    const made = [...bases]
    // A name may be there a hundred thousand times: only what these rows can be, and the numbers not known as taken yet.
    const family = await sql<Known & { base: string }>`
      select base, ${columns} from unnest(${made}::text[], ${made.map((base) => run.firstNumbers.get(base) ?? 1)}::integer[]) as made (base, first_number)
        join items i on i.slug >= base and i.slug < base || '-:'
       where case when i.slug = base then true
                  when substr(i.slug, length(base) + 2) ~ '^[0-9]+$'
                  then (i.external_id is null and i.link = any(${rows.map(({ item }) => item.link)}::text[]))
                       or substr(i.slug, length(base) + 2)::numeric >= first_number end
       order by i.no`.execute(db)
    for (const { base, ...known } of family.rows) {
      bySlug.set(known.slug, known)
      const key = nameKey(base, known.link)
      if (known.externalId === null && !byName.has(key)) byName.set(key, known)
    }
    for (const base of made) {
      plan.firstNumbers.set(base, run.firstNumbers.get(base) ?? 1)
      freeSlug(base, (slug) => bySlug.has(slug), plan.firstNumbers)
    }
  }
  return { byExternalId, bySlug, byName }
}

function nameKey(slug: string, link: string | null): string {
  return `n:${slug}\n${link}`
}

function slugKey(slug: string): string {
  return `s:${slug}`
}

/** The item a row is about: one that exists, or a new one with this slug. */
export interface Match {
  existing: Known | undefined
  slug: string
  /** The same item with the same content stood in the file before. */
  repeats: boolean
}

/** @param isTaken false for a row that is rejected whatever it is about: it takes no slug, and an import does not note it */
export function matchRow(
  run: ImportRun,
  plan: Notes,
  known: KnownItems,
  read: ReadRow,
  isTaken = true,
): Match | { reason: string; isFinal?: true } {
  const { item, row, digest, slug } = read
  const met = (key: string) => plan.seen.get(key) ?? run.seen.get(key)
  let existing: Known | undefined
  if (item.externalId !== null) {
    existing = known.byExternalId.get(item.externalId)
    if (existing === undefined && item.slug !== null) {
      // An item without an external id is recognised by its slug, and takes the row's.
      existing = known.bySlug.get(item.slug)
      if (existing !== undefined && existing.externalId !== null) {
        return {
          reason: `slug '${item.slug}' belongs to the item with the externalId '${existing.externalId}'. Choose another slug, or leave it empty.`,
        }
      }
    }
  } else if (item.slug !== null) {
    existing = known.bySlug.get(item.slug)
  } else {
    const named = (made: string): Known | undefined => {
      const first = known.bySlug.get(made)
      const isFirst = first?.externalId === null && first.link === item.link
      return isFirst ? first : known.byName.get(nameKey(made, item.link))
    }
    existing = named(slug) ?? named(makeLongerSlug(item))
  }

  const keys = item.externalId === null ? [] : [`e:${item.externalId}`]
  if (existing !== undefined) keys.push(slugKey(existing.slug))
  else if (item.slug !== null) keys.push(slugKey(item.slug))
  else if (item.externalId === null) keys.push(nameKey(slug, item.link))
  const earlier = keys.map(met).find((one) => one !== undefined)
  if (earlier !== undefined) {
    if (earlier.digest === digest) return { existing, slug, repeats: true }
    return {
      reason: `The same item stands in line ${earlier.line} already, with other content. Each item may stand in a file once.`,
    }
  }
  if (existing?.status === 'removed') {
    return {
      reason: 'item.removed: The item was removed from the site, and an import does not bring it back.',
      isFinal: true,
    }
  }
  if (existing !== undefined && item.slug !== null && item.slug !== existing.slug) {
    return {
      reason: `slug is '${item.slug}', but the item's slug is '${existing.slug}' and never changes. Leave it empty.`,
    }
  }
  if (!isTaken) {
    // A check tells of a later row with the same item at once: once this one is mended, both would be in.
    if (run.options.dryRun) for (const key of keys) plan.seen.set(key, { line: row.line, digest })
    return { existing, slug, repeats: false }
  }
  const freeOf = (base: string): string => freeSlug(base, isUsed, plan.firstNumbers)
  const isUsed = (one: string): boolean => known.bySlug.has(one) || met(slugKey(one)) !== undefined
  const own = existing?.slug ?? item.slug ?? freeOf(isUsed(slug) ? makeLongerSlug(item) : slug)
  for (const key of [...keys, slugKey(own)]) plan.seen.set(key, { line: row.line, digest })
  return { existing, slug: own, repeats: false }
}
