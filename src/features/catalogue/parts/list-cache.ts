import { QueryClient } from '@tanstack/react-query'

const minute = 60_000

let ofThisTab: QueryClient | undefined

/**
 * The lists this visitor has seen, so that Back shows them again at once and whole. One for the browser's tab; the
 * server makes a fresh one for every page it renders, so that nothing is kept between visitors.
 */
export function listCache(): QueryClient {
  if (typeof document === 'undefined') return newCache()
  ofThisTab ??= newCache()
  return ofThisTab
}

function newCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5 * minute, gcTime: 30 * minute, retry: false, refetchOnWindowFocus: false },
    },
  })
}
