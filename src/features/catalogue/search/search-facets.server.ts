import { z } from 'zod'
import type { Scope } from '../../../http/cache/response-cache.ts'
import type { CatalogueApp } from '../app.ts'
import { canAccess } from '../../office/viewer/can-access.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { countedKinds } from '../item/terms.ts'
import { freeShelves } from '../shelves/free-shelves.ts'
import { vipShelves } from '../shelves/vip-shelves.ts'
import { readSearchQuery } from './read-search-query.ts'
import { type SearchQuery, toIndexQuery } from './search-items.server.ts'

const Count = z.int().positive().meta({ description: 'How many match.' })
const Counted = z.array(z.strictObject({ name: z.string(), count: Count }).meta({ id: 'CountedValue' }))

/** The answer of the facets (docs/spec/search.md#facets). */
export const Facets = z.strictObject({
  categories: Counted,
  languages: Counted.meta({ description: 'By their codes: pt counts pt-BR as well.' }),
  formats: Counted,
  decades: Counted.meta({ description: 'Of the year of the work, by the first year: 1890.' }),
  years: z
    .array(
      z.strictObject({
        year: z.int(),
        count: Count,
        months: z.array(z.strictObject({ month: z.int().min(1).max(12), count: Count })),
      }),
    )
    .meta({ description: 'Of the post date, in the time zone of the site, newest first.' }),
  shelves: Counted.meta({ description: 'By the names in their addresses; those of VIPs for VIPs alone.' }),
  total: z.int().nonnegative().meta({ description: 'How many match with all filters.' }),
})
export type Facets = z.infer<typeof Facets>

const freeLists = Object.entries(freeShelves).map(listOf)
const vipLists = [
  ...Object.entries(vipShelves).map(listOf),
  { name: 'vip-first', filters: { shelf: 'vip-first' } } as const,
]

/**
 * How many entries answer a query, by facets, each without the query's own filter of that facet: what a viewer would find who
 * chose another value (docs/spec/search.md#facets). Page, order and `at` count for nothing.
 */
export function searchFacets(app: CatalogueApp, viewer: Viewer, query: SearchQuery): { facets: Facets; scope: Scope } {
  const lists = canAccess('vip', viewer) ? [...freeLists, ...vipLists] : freeLists
  const { scope, ...counts } = app.listing.countFacets(
    toIndexQuery(app, query),
    viewer,
    lists.map(({ filters }) => filters),
  )
  const [languages, formats, decades] = countedKinds.map((_, kind) => counts.terms[kind] ?? new Map<string, number>())
  const facets = {
    categories: byCount(counts.categories),
    languages: byCount(languages),
    formats: byCount(formats),
    decades: byCount(decades).sort((a, b) => Number(b.name) - Number(a.name)),
    years: byYear(counts.months),
    shelves: byCount(lists.map(({ name }, i) => [name, counts.lists[i] ?? 0])),
    total: counts.total,
  }
  return { facets, scope }
}

function listOf([name, { parameters }]: [string, { parameters: (isWide: boolean) => Record<string, string> }]) {
  const { category, contentType, isVip, shelf } = readSearchQuery(new URLSearchParams(parameters(false)))
  return { name, filters: { category, contentType, isVip, shelf } }
}

/** The most first, of equal counts by name. */
function byCount(counts: Iterable<readonly [name: string, count: number]> = []): { name: string; count: number }[] {
  return Array.from(counts, ([name, count]) => ({ name, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}

/** @param months `YYYY-MM`, newest first */
function byYear(months: ReadonlyMap<string, number>): Facets['years'] {
  const years: Facets['years'] = []
  for (const [name, count] of months) {
    const [year, month] = [Number(name.slice(0, 4)), Number(name.slice(5))]
    let last = years.at(-1)
    if (last?.year !== year) years.push((last = { year, count: 0, months: [] }))
    last.count += count
    last.months.push({ month, count })
  }
  return years
}
