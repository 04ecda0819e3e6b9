import type { FreePage } from '../item/content-type.ts'
import { type DateFilter, type ListingFilters, rowsPerPage } from '../item/listing.ts'
import { longestName } from '../item/longest-name.ts'

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
  sort: 'mostRecent',
  page: 1,
}

/** The regional pages filter by date and category; the banned and unknown pages sort instead. */
export function isRegional(section: FreePage): section is 'asian' | 'western' {
  return section === 'asian' || section === 'western'
}

/** The parameters that `readFilters` reads and `writeFilters` writes. */
export function filterParameters(section: FreePage): readonly string[] {
  return isRegional(section)
    ? ['search', 'dateFilter', 'month', 'category', 'page']
    : ['search', 'month', 'sort', 'page']
}

/**
 * The query in an address. It never fails: the browser shows what it can of an address that a person has edited by
 * hand, and the server is the one that judges it.
 */
export function readFilters(section: FreePage, search: string): ListingFilters {
  const address = new URLSearchParams(search)
  const page = Number(address.get('page') ?? '1')
  const shared = {
    ...noFilters,
    search: textOf(address.get('search'), longestName),
    month: oneOf(address.get('month'), /^(0[1-9]|1[0-2])$/),
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
  }
  if (!isRegional(section)) return { ...shared, sort: address.get('sort') === 'oldest' ? 'oldest' : 'mostRecent' }
  const dateFilter = dateFilters.find(({ value }) => value === address.get('dateFilter'))?.value ?? ''
  return { ...shared, dateFilter, category: textOf(address.get('category'), 60) }
}

function textOf(value: string | null, longest: number): string {
  return [...(value ?? '').toWellFormed().replaceAll('\0', '')].slice(0, longest).join('')
}

function oneOf(value: string | null, allowed: RegExp): string {
  return value !== null && allowed.test(value) ? value : ''
}

/** The query part of a listing's address, with its question mark; empty when nothing is asked for. */
export function writeFilters(filters: ListingFilters): string {
  const address = new URLSearchParams()
  if (filters.search.trim() !== '') address.set('search', filters.search.trim())
  if (filters.dateFilter !== '') address.set('dateFilter', filters.dateFilter)
  if (filters.month !== '') address.set('month', filters.month)
  if (filters.category !== '') address.set('category', filters.category)
  if (filters.sort === 'oldest') address.set('sort', 'oldest')
  if (filters.page > 1) address.set('page', String(filters.page))
  const query = address.toString()
  return query === '' ? '' : `?${query}`
}

/** The query a listing puts to the HTTP interface (docs/spec/search.md#free-lists). */
export function searchParameters(section: FreePage, filters: ListingFilters, page: number): URLSearchParams {
  const search = filters.search.trim()
  const query = new URLSearchParams({
    page: String(page),
    sortBy: 'postDate',
    sortOrder: filters.sort === 'oldest' ? 'ASC' : 'DESC',
    limit: String(rowsPerPage),
  })
  if (search !== '') query.set('search', search)
  if (filters.month !== '') query.set('month', filters.month)
  if (isRegional(section)) {
    if (filters.dateFilter !== '') query.set('dateFilter', filters.dateFilter)
    if (filters.category !== '') query.set('category', filters.category)
    // With a text every free type is searched, from either region; without one the page keeps to its own type.
    if (search === '') query.set('contentType', section)
    else query.set('tier', 'free')
  } else {
    query.set('category', section === 'banned' ? 'Banned' : 'Unknown')
    query.set('tier', 'free')
  }
  return query
}
