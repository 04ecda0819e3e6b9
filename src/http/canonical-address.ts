import { unreadableRequest } from './connections/unreadable.ts'
import { pagePathOf, partsParameter } from './pages/data-address.ts'
import { type Page, parametersOf } from './pages/page.ts'
import { isReadable } from './readable-path.ts'

/**
 * The address that a request names, without regard to the host that it names.
 * @throws {AppError} `request.unreadable`, 400
 */
export function addressOf(target = ''): URL {
  const url = URL.parse(target.startsWith('/') ? `http://localhost${target}` : target)
  if (url !== null) return url
  throw unreadableRequest()
}

/** Characters that mean the same with and without an escape, and escapes in capitals (RFC 3986, 6.2.2). */
export function plainlySpelled(pathname: string): string {
  return pathname.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
  })
}

/** Each number of them would be kept as a page of its own. */
const slashesAtEnd = /\/{2,}(?=(?:_?\.data)?$)/

/**
 * The path under which a page is rendered: its plain parts as the page declares them. The router of the browser takes every
 * spelling of some pages, the server's only this one: what was rendered for another would not be what the browser expects. A
 * path that is no UTF-8 is no page's, and has no other spelling.
 */
export function canonicalPath(page: Page | undefined, pathname: string): string {
  if (page === undefined || !isReadable(pathname)) return pathname
  const folded = plainlySpelled(pathname).replace(slashesAtEnd, '/')
  return pagePathOf(folded) === undefined ? spelledAs(page.path, folded) : folded
}

/** A path with its plain parts as a pattern declares them, and the others as they are. */
export function spelledAs(pattern: string, pathname: string): string {
  const declared = pattern.split('/')
  return pathname
    .split('/')
    .map((part, place) => {
      const name = declared[place] ?? ''
      return name === '' || name === '*' || name.startsWith(':') ? part : name
    })
    .join('/')
}

/** The query that a page is rendered and kept under: the parameters that it reads, in its order; empty values are none. */
export function canonicalQuery(page: Page | undefined, pathname: string, search: string): string {
  if (search === '') return ''
  const declared = parametersOf(page)
  const names = pagePathOf(pathname) === undefined ? declared : [...declared, partsParameter]
  if (names.length === 0) return ''
  const parameters = new URLSearchParams(search)
  const query = new URLSearchParams()
  for (const name of names) {
    const value = parameters.get(name)
    if (value !== null && value !== '') query.set(name, value)
  }
  return query.size === 0 ? '' : `?${query}`
}
