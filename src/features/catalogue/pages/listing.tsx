import { useEffect, useMemo } from 'react'
import { isDocument, pageScope } from '../../../http/pages/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { catalogueContext, listInPlace } from '../page-context.ts'
import { freePageAt } from '../item/content-type.ts'
import { type ListingPage, type PackedPage, packedPages, packPage, unpackPage } from '../item/listing.ts'
import { listPage } from '../search/list-page.server.ts'
import { rowsOnPage } from '../parts/list/rows-on-page.ts'
import { listSite } from '../parts/list/list-site.server.ts'
import { readFilters, writeFilters } from '../search/listing-address.ts'
import { listTitle } from '../search/filters-in-words.ts'
import { Listing, ListingHead, type ListMemory } from '../parts/listing/listing.tsx'
import { rememberRegion } from '../parts/listing/region.ts'
import { listStore } from '../parts/list/use-list.ts'
import { freeShelves } from '../shelves/free-shelves.ts'
import '../parts/listing/listing.css'
import type { Route } from './+types/listing.ts'

/** `/asian`, `/western`, `/banned` and `/unknown` are one page. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(catalogueContext)
  const section = freePageAt(url.pathname)
  const site = listSite(app)
  const inPlace = context.get(listInPlace)
  if (inPlace !== undefined) return { section, site, first: packPage(inPlace, true) }
  const { page, scopes, onSend } = await listPage(app, { shelf: freeShelves[section], search: url.search })
  const dependencies = context.get(pageScope)
  for (const scope of scopes) dependencies.state(scope)
  if (onSend !== undefined) dependencies.whenSent(onSend)
  return { section, site, first: packPage(page, context.get(isDocument)) }
}

/** Back to a list that the browser still holds asks nobody. */
export async function clientLoader({ url, serverLoader }: Route.ClientLoaderArgs) {
  const section = freePageAt(url.pathname)
  const shelf = freeShelves[section]
  const kept = listStore().peek({ shelf, filters: readFilters(shelf, url.search) })
  return kept === undefined ? serverLoader() : { section, site: kept.site, first: undefined }
}

/** Within a listing the list itself asks for what the address says. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean {
  return currentUrl.pathname !== nextUrl.pathname
}

function pageOf(packed: PackedPage): ListingPage | undefined {
  return import.meta.env.SSR ? packedPages.get(packed) : unpackPage(packed, rowsOnPage)
}

/** Within a listing it is asked again for each address, with the data of the first. */
export function meta({ loaderData, location }: Route.MetaArgs) {
  if (loaderData === undefined) return []
  const { section, site } = loaderData
  const first = loaderData.first && pageOf(loaderData.first)
  const shelf = freeShelves[section]
  const { title, description } = shelf
  const filters = readFilters(shelf, location.search)
  // One address for a list however it is filtered; only its further pages stand for themselves.
  const page = first?.filters.page ?? 1
  const canonical = `${site.publicUrl}/${section}${page === 1 ? '' : `?page=${page}`}`
  const isFiltered = writeFilters({ ...filters, page: 1 }) !== ''
  return pageMeta({
    title: listTitle(title, filters),
    brand: site.brandName,
    description,
    canonical,
    image: `${site.publicUrl}/share.png`,
    feed: `/feeds/${section}`,
    // It has the newest, in their order.
    feedQuery: writeFilters({ ...filters, sort: '', at: '', page: 1 }),
    // Nothing is to be found there: a page beyond the last.
    indexed: !isFiltered && (page === 1 || first?.rows.length !== 0),
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

const memory: ListMemory = { openStore: listStore }

export default function ListingRoute({ loaderData }: Route.ComponentProps) {
  const { section, site, first: packed } = loaderData
  const first = useMemo(() => packed && pageOf(packed), [packed])
  const shelf = freeShelves[section]

  useEffect(() => {
    if (section === 'asian' || section === 'western') rememberRegion(section)
  }, [section])

  return (
    <div className="column">
      <ListingHead shelf={shelf} />
      <Listing key={section} shelf={shelf} memory={memory} first={first} site={site} />
    </div>
  )
}
