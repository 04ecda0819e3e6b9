/** The address of what a list has of one value, whole: of a creator, all of their works in this part of the site. */
export function filteredList(
  list: string,
  by: 'creator' | 'series' | 'tag' | 'language' | 'at',
  value: string,
): { pathname: string; search: string } {
  const pathname = by === 'creator' ? wideList(list) : list
  return { pathname, search: `?${new URLSearchParams({ [by]: value }).toString()}` }
}

/** A list of a category has its own entries alone. */
function wideList(list: string): string {
  if (list === '/banned' || list === '/unknown') return '/western'
  return list === '/vip-banned' || list === '/vip-unknown' ? '/vip-western' : list
}
