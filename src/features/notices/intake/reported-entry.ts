/** The entry that a page about notices was opened for: `?entry=/asian/slug`, as the pages of entries link to it. Browser-safe. */

const maxPath = 500

/** A path of this site and nothing else; undefined without one. */
export function reportedEntry(query: URLSearchParams): string | undefined {
  const path = query.get('entry')
  if (path === null || path.length > maxPath) return undefined
  return /^\/(?![/\\])[^\s\p{C}]+$/u.test(path) ? path : undefined
}

/** `?entry=…` for the next page, or nothing. */
export function entryQuery(query: URLSearchParams): string {
  const path = reportedEntry(query)
  return path === undefined ? '' : `?${new URLSearchParams({ entry: path })}`
}
