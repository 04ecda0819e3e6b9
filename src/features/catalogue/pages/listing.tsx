import { useMemo } from 'react'
import { pageScope } from '../../../http/pages/page-context.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { catalogueContext } from '../page-context.ts'
import { type FreePage, freePageAt } from '../item/content-type.ts'
import { listPage } from '../search/list-page.server.ts'
import type { ListSite } from '../parts/list/list-query.ts'
import { readFilters, writeFilters } from '../search/listing-address.ts'
import { Listing, SwitchRegion } from '../parts/listing/listing.tsx'
import { packRows, unpackRows } from '../parts/list/packed-rows.ts'
import { listStore } from '../parts/list/use-list.ts'
import '../parts/listing/listing.css'
import type { Route } from './+types/listing.ts'

const texts: Record<FreePage, { title: string; description: string; empty: string }> = {
  asian: {
    title: 'Free Asian Content',
    description: 'Works from Asia, entry by entry and day by day: browse, search and filter the free catalogue.',
    empty: 'No Content Found',
  },
  western: {
    title: 'Free Western Content',
    description: 'Works from the West, entry by entry and day by day: browse, search and filter the free catalogue.',
    empty: 'No Content Found',
  },
  banned: {
    title: 'Banned Content',
    description: 'Works that were censored, banned or withdrawn somewhere, at some time, in order of their entry.',
    empty: 'No Banned Content Found',
  },
  unknown: {
    title: 'Unknown Content',
    description: 'Works whose author or origin is not established, in order of their entry.',
    empty: 'No Unknown Content Found',
  },
}

/** `/asian`, `/western`, `/banned` and `/unknown` are one page. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(catalogueContext)
  const section = freePageAt(url.pathname)
  const { brandName, publicUrl, timeZone, clientApiKey } = app.config
  const site: ListSite = { brandName, publicUrl, timeZone, clientApiKey, today: dayOf(app.clock.now(), timeZone) }
  const { page, scope } = await listPage(app, { section, search: url.search })
  context.get(pageScope).state(scope)
  const { rows, nearest, ...rest } = page
  return { section, site, first: { ...rest, rows: packRows(rows), nearest: packRows(nearest) } }
}

/** Back to a list that the browser still holds asks nobody. */
export async function clientLoader({ url, serverLoader }: Route.ClientLoaderArgs) {
  const section = freePageAt(url.pathname)
  const kept = listStore().peek({ section, filters: readFilters(section, url.search) })
  return kept === undefined ? serverLoader() : { section, site: kept.site, first: undefined }
}

/** Within a listing the list itself asks for what the address says. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean {
  return currentUrl.pathname !== nextUrl.pathname
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return []
  const { section, site, first } = loaderData
  const { title, description } = texts[section]
  // One address for a list however it is filtered; only its further pages stand for themselves.
  const canonical = `${site.publicUrl}/${section}${first === undefined || first.filters.page === 1 ? '' : `?page=${first.filters.page}`}`
  const hasText = first !== undefined && writeFilters({ ...first.filters, page: 1 }) !== ''
  return pageMeta({
    title,
    brand: site.brandName,
    description,
    canonical,
    image: `${site.publicUrl}/share.png`,
    // Nothing is to be found there: a page beyond the last.
    indexed: !hasText && (first === undefined || first.filters.page === 1 || first.rows.length > 0),
    structured: [
      {
        '@type': 'CollectionPage',
        name: title,
        description,
        url: canonical,
        isPartOf: { '@type': 'WebSite', name: site.brandName, url: `${site.publicUrl}/` },
      },
    ],
  })
}

export default function ListingRoute({ loaderData }: Route.ComponentProps) {
  const { section, site, first: packed } = loaderData
  const first = useMemo(
    () => packed && { ...packed, rows: unpackRows(packed.rows), nearest: unpackRows(packed.nearest) },
    [packed],
  )
  const text = texts[section]
  return (
    <div className="column">
      <div className="listing-head">
        <h1>{text.title}</h1>
        {section === 'asian' || section === 'western' ? <SwitchRegion section={section} /> : null}
      </div>
      <Listing key={section} section={section} text={text} first={first} site={site} />
    </div>
  )
}
