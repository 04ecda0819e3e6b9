import { useEffect, useEffectEvent } from 'react'
import { searchParameters } from '../../search/listing-address.ts'
import type { Facets } from '../../search/search-facets.server.ts'
import type { CallSearch, SiteListQuery } from './list-query.ts'
import { callAsVisitor } from './request-page.ts'

/**
 * Asks how many entries of a list there are by facets (docs/spec/search.md#facets), and again for each other query. It shows
 * nothing.
 */
export function ListFacets({
  query: { site, shelf, filters },
  callSearch = callAsVisitor,
  onChange,
}: {
  query: SiteListQuery
  callSearch?: CallSearch | undefined
  onChange: (facets: Facets) => void
}) {
  const path = `/universal-search/facets?${searchParameters(shelf, { ...filters, at: '', page: 1 }, 1)}`
  const change = useEffectEvent(onChange)
  useEffect(() => {
    const leaving = new AbortController()
    callSearch(path, site, leaving.signal).then(
      (facets) => change(facets as Facets),
      // Without them the list stands as it is: its menus offer what is loaded.
      () => undefined,
    )
    return () => leaving.abort()
  }, [callSearch, path, site])
  return null
}
