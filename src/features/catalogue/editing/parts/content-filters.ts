import { listedStatusNames, sectionNames } from './content-words.ts'
import { type ContentTab, contentTabs, endpointOf, listedStatuses, type ListedStatus } from '../content-sections.ts'

export interface ContentFilters {
  section: ContentTab
  search: string
  category: string
  status: ListedStatus | ''
}

export function readContentFilters(search: string): ContentFilters {
  const requested = new URLSearchParams(search)
  return {
    section: contentTabs.find((tab) => tab === requested.get('tab')) ?? 'all',
    search: requested.get('search') ?? '',
    category: requested.get('category') ?? '',
    status: listedStatuses.find((status) => status === requested.get('status')) ?? '',
  }
}

export function filtersInWords({ section, search, category, status }: ContentFilters): string {
  return [
    ...(section === 'all' ? [] : [sectionNames[section]]),
    ...(search === '' ? [] : [`‘${search}’`]),
    ...(category === '' ? [] : [category]),
    ...(status === '' ? [] : [listedStatusNames[status]]),
  ].join(', ')
}

export function writeContentFilters({ section, search, category, status }: ContentFilters): string {
  const query = new URLSearchParams()
  if (section !== 'all') query.set('tab', section)
  if (search !== '') query.set('search', search)
  if (category !== '') query.set('category', category)
  if (status !== '') query.set('status', status)
  return query.toString()
}

export function editAddress(filters: ContentFilters): string {
  const query = new URLSearchParams(writeContentFilters(filters))
  query.set('tab', filters.section)
  return `/admin/bulk-edit?${query.toString()}`
}

export function isFiltered({ search, category, status }: ContentFilters): boolean {
  return search !== '' || category !== '' || status !== ''
}

export const itemsPerPage = 900

/** The address of the first page of such a list; others add `page` and `after`. */
export function listPath({ section, search, category, status }: ContentFilters): string {
  const query = new URLSearchParams({ sortOrder: 'DESC', limit: String(itemsPerPage) })
  if (search !== '') query.set('search', search)
  if (category !== '') query.set('category', category)
  if (status !== '') query.set('status', status)
  return `${endpointOf(section)}?${query.toString()}`
}
