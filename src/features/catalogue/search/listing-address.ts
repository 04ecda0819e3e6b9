import { regions } from '../item/content-type.ts'
import { type DateFilter, type ListingFilters, rowsPerPage } from '../item/listing.ts'
import { longestName } from '../item/longest-name.ts'
import type { Shelf, ShelfFilter } from '../shelves/shelf.ts'

export const dateFilters: readonly { value: DateFilter | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: '7days', label: '7 Days' },
]

export const noFilters: ListingFilters = {
  search: '',
  dateFilter: '',
  month: '',
  category: '',
  sort: '',
  region: '',
  page: 1,
}

/** The parameters that `readFilters` reads and `writeFilters` writes. */
export function filterParameters({ filters }: Pick<Shelf, 'filters'>): readonly string[] {
  return ['search', ...filters.filter((name) => name !== 'sort'), 'sort', 'page']
}

/** The order of a list: by fit only where there is a text. */
export function orderOf({
  search,
  sort,
}: Pick<ListingFilters, 'search' | 'sort'>): 'bestMatch' | 'mostRecent' | 'oldest' {
  if (sort !== '') return sort
  return search.trim() === '' ? 'mostRecent' : 'bestMatch'
}

/**
 * The query in an address. It never fails: the browser shows what it can of an address that a person has edited by
 * hand, and the server is the one that judges it.
 */
export function readFilters(shelf: Pick<Shelf, 'filters'>, search: string): ListingFilters {
  const address = new URLSearchParams(search)
  const page = Number(address.get('page') ?? '1')
  const given = (name: ShelfFilter): string | null => (shelf.filters.includes(name) ? address.get(name) : null)
  const [dateFilter, month, region] = [given('dateFilter'), given('month'), given('region')]
  const text = textOf(address.get('search'), longestName)
  return {
    search: text,
    dateFilter: dateFilters.find(({ value }) => value === dateFilter)?.value ?? '',
    month: month !== null && /^(0[1-9]|1[0-2])$/.test(month) ? month : '',
    category: textOf(given('category'), 60),
    sort: sortOf(shelf, address.get('sort'), text),
    region: regions.find((each) => each === region) ?? '',
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
  }
}

function sortOf({ filters }: Pick<Shelf, 'filters'>, sort: string | null, text: string): ListingFilters['sort'] {
  if (sort === 'oldest') return filters.includes('sort') ? sort : ''
  // Without a text it is the order of every list.
  return sort === 'mostRecent' && text.trim() !== '' ? sort : ''
}

function textOf(value: string | null, longest: number): string {
  return [...(value ?? '').toWellFormed().replaceAll('\0', '')].slice(0, longest).join('')
}

/** The query part of a listing's address, with its question mark; empty when nothing is asked for. */
export function writeFilters(filters: ListingFilters): string {
  const address = searched(filters)
  if (filters.sort === 'oldest' || (filters.sort !== '' && address.has('search'))) address.set('sort', filters.sort)
  if (filters.page > 1) address.set('page', String(filters.page))
  const query = address.toString()
  return query === '' ? '' : `?${query}`
}

/** The query a listing puts to the HTTP interface (docs/spec/search.md#free-lists). */
export function searchParameters(shelf: Shelf, filters: ListingFilters, page: number): URLSearchParams {
  const query = searched(filters)
  const fixed = {
    page: String(page),
    sortBy: orderOf(filters) === 'bestMatch' ? 'fit' : 'postDate',
    sortOrder: orderOf(filters) === 'oldest' ? 'ASC' : 'DESC',
    limit: String(rowsPerPage),
    ...shelf.parameters(query.has('search')),
  }
  for (const [name, value] of Object.entries(fixed)) query.set(name, value)
  return query
}

/** The filters that an address and the HTTP interface write alike. */
function searched({ search, dateFilter, month, category, region }: ListingFilters): URLSearchParams {
  const given = { search: search.trim(), dateFilter, month, category, region }
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
}
