import { setImmediate } from 'node:timers/promises'
import type { Scope } from '../../../http/cache/response-cache.ts'
import { xmlElement } from '../../../platform/xml.ts'
import { freeContentTypes, itemPath } from '../../catalogue/item/content-type.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'

/** As many entries has a part. */
export const entriesPerPart = 10_000
/** As many rows are read in one piece. */
const rowsAtOnce = 250

/** The pages that are no entry: lists, plans, legal texts, and what the site says of itself. */
const pages = [
  '/',
  ...freeContentTypes.map((page) => `/${page}`),
  '/plans',
  '/terms',
  '/privacy',
  '/dmca',
  '/transparency',
]

/** A map and what it depends on. */
type Sitemap = { xml: string; scope: Scope }

const head = '<?xml version="1.0" encoding="utf-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** The index of the parts. */
export function sitemapIndex({ config: { publicUrl }, listing }: Pick<SiteApp, 'config' | 'listing'>): Sitemap {
  const { total, scope } = listing.freeItems({ skip: 0, limit: 0 })
  const parts = ['pages', ...Array.from({ length: Math.ceil(total / entriesPerPart) }, (_, i) => String(i + 1))]
  const lines = parts.map((part) => `<sitemap>${xmlElement('loc', `${publicUrl}/sitemap.xml?part=${part}`)}</sitemap>`)
  return { xml: `${head}<sitemapindex ${namespace}>\n${lines.join('\n')}\n</sitemapindex>\n`, scope }
}

/** One part: `pages`, or entries by its number from 1. */
export async function sitemapPart(
  app: Pick<SiteApp, 'config' | 'listing'>,
  part: string,
): Promise<Sitemap | undefined> {
  const { publicUrl } = app.config
  if (part === 'pages')
    return mapOf(
      pages.map((path) => ({ url: publicUrl + path })),
      app.listing.scopeOfSettings(),
    )
  if (!/^[1-9]\d{0,5}$/.test(part)) return undefined
  const page = { skip: (Number(part) - 1) * entriesPerPart, limit: entriesPerPart }
  const { numbers, scope } = app.listing.freeItems(page)
  if (numbers.length === 0) return undefined
  const places: (Place & { id: string })[] = []
  for (let at = 0; at < numbers.length; at += rowsAtOnce) {
    for (const { item, postedAt } of await app.listing.readItems(numbers.slice(at, at + rowsAtOnce), anonymous)) {
      const changedAt = new Date(Math.max(Date.parse(item.updatedAt), postedAt)).toISOString()
      places.push({ id: item.id, url: publicUrl + itemPath(item), changedAt })
    }
    // Others are served between two pieces.
    await setImmediate()
  }
  // Numbers follow ids but within one instant.
  return mapOf(
    places.sort((a, b) => (a.id < b.id ? -1 : 1)),
    scope,
  )
}

interface Place {
  url: string
  /** ISO 8601. */
  changedAt?: string
}

function mapOf(places: readonly Place[], scope: Scope): Sitemap {
  const lines = places.map(
    ({ url, changedAt }) => `<url>${xmlElement('loc', url)}${xmlElement('lastmod', changedAt)}</url>`,
  )
  return { xml: `${head}<urlset ${namespace}>\n${lines.join('\n')}\n</urlset>\n`, scope }
}
