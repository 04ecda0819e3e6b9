import { regions } from '../item/content-type.ts'
import { type DateFilter, type ListingFilters, rowsPerPage } from '../item/listing.ts'
import { isDecade } from '../item/decade.ts'
import { longestName } from '../item/longest-name.ts'
import { isAt } from './instant-in-address.ts'
import type { Shelf, ShelfFilter } from '../shelves/shelf.ts'
import { canonicalTag } from '../item/languages.ts'

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
  language: '',
  format: '',
  decade: '',
  creator: '',
  series: '',
  tag: '',
  at: '',
  page: 1,
}

/** Whole values, which every list can be asked for, and how long they may be. */
const longestValue = { language: 60, format: 20, decade: 5, creator: 200, series: 200, tag: 60 } as const
export const valueFilters = Object.keys(longestValue) as (keyof typeof longestValue)[]

/** Those that an address and the HTTP interface write alike. */
const searchFilters = ['search', 'dateFilter', 'month', 'category', 'region', ...valueFilters] as const

/** In the order in which they are written. A list names those that it does not take. */
export function filterParameters(): readonly string[] {
  return [...searchFilters, 'sort', 'at', 'page']
}

export function orderOf({
  search,
  sort,
}: Pick<ListingFilters, 'search' | 'sort'>): 'bestMatch' | 'mostRecent' | 'oldest' {
  if (sort !== '') return sort
  return search.trim() === '' ? 'mostRecent' : 'bestMatch'
}

/** The order that a list has once a place in time is asked for: an order by fit has none. */
export function sortOfTime(filters: Pick<ListingFilters, 'search' | 'sort'>): ListingFilters['sort'] {
  return orderOf(filters) === 'bestMatch' ? 'mostRecent' : filters.sort
}

/**
 * The query in an address. It never fails: the browser shows what it can of an address that a person has edited by
 * hand, and the server is the one that judges it.
 */
export function readFilters(shelf: Pick<Shelf, 'filters'>, search: string): ListingFilters {
  const address = new URLSearchParams(search)
  const page = Number(address.get('page') ?? '1')
  const given = (name: ShelfFilter): string => (shelf.filters.includes(name) && address.get(name)) || ''
  const month = given('month')
  const text = textOf(address.get('search'), longestName)
  const sort = sortOf(shelf, address.get('sort'), text)
  const values = valueFilters.map((name) => [name, valueOf(name, address.get(name))] as const)
  const at = address.get('at') ?? ''
  return {
    ...(Object.fromEntries(values) as Record<keyof typeof longestValue, string>),
    // An order by fit has no place in time.
    at: isAt(at) && orderOf({ search: text, sort }) !== 'bestMatch' ? at : '',
    search: text,
    dateFilter: dateFilters.find(({ value }) => value === given('dateFilter'))?.value ?? '',
    month: /^(0[1-9]|1[0-2])$/.test(month) ? month : '',
    category: textOf(given('category'), 60),
    sort,
    region: regions.find((each) => each === given('region')) ?? '',
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
  }
}

/** The filters in an address that this list does not take, or not with their value, and so are left out. */
export function unreadFilters(shelf: Pick<Shelf, 'filters'>, search: string): string[] {
  const address = new URLSearchParams(search)
  const read = readFilters(shelf, search)
  return (Object.keys(noFilters) as (keyof ListingFilters)[]).filter(
    // These orders a list has without being asked.
    (name) => read[name] === '' && !/^(\s*|bestMatch|mostRecent)$/.test(address.get(name) ?? ''),
  )
}

function sortOf({ filters }: Pick<Shelf, 'filters'>, sort: string | null, text: string): ListingFilters['sort'] {
  if (sort === 'oldest') return filters.includes('sort') ? sort : ''
  // Without a text it is the order of every list.
  return sort === 'mostRecent' && text.trim() !== '' ? sort : ''
}

function valueOf(name: keyof typeof longestValue, value: string | null): string {
  const text = textOf(value, longestValue[name]).trim()
  if (name === 'decade') return isDecade(text) ? text : ''
  return name === 'language' ? (canonicalTag(text) ?? '') : text
}

function textOf(value: string | null, longest: number): string {
  return [...(value ?? '').toWellFormed().replaceAll('\0', '')].slice(0, longest).join('')
}

/** The query part of a listing's address, with its question mark; empty when nothing is asked for. */
export function writeFilters(filters: ListingFilters): string {
  const address = searched(filters)
  if (filters.sort === 'oldest' || (filters.sort !== '' && address.has('search'))) address.set('sort', filters.sort)
  if (filters.at !== '') address.set('at', filters.at)
  else if (filters.page > 1) address.set('page', String(filters.page))
  const query = address.toString()
  return query === '' ? '' : `?${query}`
}

/** The query a listing puts to the HTTP interface (docs/spec/search.md#free-lists). */
export function searchParameters(shelf: Shelf, filters: ListingFilters, page: number): URLSearchParams {
  const query = searched(filters)
  const fixed = {
    // The first page is asked for by its place in time.
    ...(filters.at !== '' && page === filters.page ? { at: filters.at } : { page: String(page) }),
    sortBy: orderOf(filters) === 'bestMatch' ? 'fit' : 'postDate',
    sortOrder: orderOf(filters) === 'oldest' ? 'ASC' : 'DESC',
    limit: String(rowsPerPage),
    ...(query.has('search') ? { marks: 'true' } : {}),
    ...shelf.parameters(query.has('search') || query.has('creator')),
  }
  for (const [name, value] of Object.entries(fixed)) query.set(name, value)
  return query
}

function searched(filters: ListingFilters): URLSearchParams {
  const given = { ...filters, search: filters.search.trim() }
  return new URLSearchParams(searchFilters.map((name) => [name, given[name]]).filter(([, value]) => value !== ''))
}
