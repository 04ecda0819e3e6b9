import { useLocation, useNavigate } from 'react-router'

export interface AddressFilters {
  get(name: string): string
  page: number
  /** The page and those of these filters that are set, as a query. */
  query(...names: readonly string[]): string
  /** Sets one; an empty one goes. A filter begins at the first page. */
  set(name: string, value: string): void
  setPage(page: number): void
}

export function useAddressFilters(): AddressFilters {
  const requested = new URLSearchParams(useLocation().search)
  const navigate = useNavigate()
  const go = (change: (search: URLSearchParams) => void, isPage = false): void => {
    const next = new URLSearchParams(location.search)
    change(next)
    void navigate({ search: next.toString() }, { preventScrollReset: !isPage })
  }
  const get = (name: string): string => requested.get(name) ?? ''
  const page = Math.min(1_000_000, Math.max(1, Number.parseInt(get('page'), 10) || 1))
  return {
    get,
    page,
    query: (...names) => {
      const set = names.filter((name) => get(name) !== '').map((name) => [name, get(name)])
      return new URLSearchParams([['page', String(page)], ...set]).toString()
    },
    set: (name, value) =>
      go((search) => {
        search.delete('page')
        if (value === '') search.delete(name)
        else search.set(name, value)
      }),
    setPage: (page) =>
      go((search) => {
        if (page <= 1) search.delete('page')
        else search.set('page', String(page))
      }, true),
  }
}
