export function filteredList(
  list: string,
  by: 'creator' | 'series' | 'tag' | 'language' | 'at',
  value: string,
): { pathname: string; search: string } {
  return { pathname: list, search: `?${new URLSearchParams({ [by]: value }).toString()}` }
}
