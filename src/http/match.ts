import { TrieRouter } from 'hono/router/trie-router'
import { type AppError, defineError } from '../platform/errors.ts'
import { spelledAs } from './canonical-address.ts'
import { pagePathOf } from './pages/data-address.ts'
import type { Page } from './pages/page.ts'
import { isReadable } from './readable-path.ts'
import type { Route } from './route.ts'

/**
 * The route or page of a request. `pattern` stands for its address wherever that must not be shown, such as in the log.
 */
export type Match<App, Viewer> =
  | { kind: 'route'; pattern: string; route: Route<App, Viewer>; params: Record<string, string> }
  /** Without a page: the page that says that nothing is there. */
  | { kind: 'page'; pattern: string; page: Page | undefined }
  | { kind: 'moved'; pattern: string; to: string }
  | { kind: 'nothing'; pattern: string; error: AppError }

/** The pattern of every address that nothing declares. */
export const anyPattern = '*'

/**
 * Finds the route or the page of an address (docs/spec/http.md#paths). Parts of a route's path are matched as they are
 * written, decoded; parts of a page's path in any case, and a slash at the end of a page says nothing.
 */
export class Matcher<App, Viewer> {
  readonly #routes = new TrieRouter<Route<App, Viewer>>()
  readonly #pages = new TrieRouter<Page>()
  /** Pages without parameters by their paths: found without a search, as long as they are spelt as declared. */
  readonly #plainPages: ReadonlyMap<string, Page>
  /** Methods by path, for the answers that name them. */
  readonly #methods = new TrieRouter<readonly string[]>()
  /** Paths of routes in small letters, with the path as it is declared. */
  readonly #spellings = new TrieRouter<string>()
  /**
   * First parts of the paths of routes, in small letters: an unknown path below them is answered in JSON, not by a
   * page.
   */
  readonly #routeRoots = new Set<string>()

  /** @param probes paths that are answered before anything is matched */
  constructor(routes: readonly Route<App, Viewer>[], pages: readonly Page[], probes: readonly string[] = []) {
    for (const route of plainFirst(routes)) {
      this.#routes.add(route.method, route.path, route)
      this.#methods.add('ALL', route.path, route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])
      this.#spellings.add('GET', route.path.toLowerCase(), route.path)
      this.#routeRoots.add(rootOf(route.path))
    }
    for (const path of probes) this.#methods.add('ALL', path, ['GET', 'HEAD'])
    this.#plainPages = new Map(pages.filter(({ path }) => !/[:*]/.test(path)).map((page) => [page.path, page]))
    for (const page of plainFirst(pages)) this.#pages.add('GET', page.path.toLowerCase(), page)
  }

  /**
   * @param pathname as it came, without the query
   * @param isForm whether the body is a form, as its header says: where a page takes one, it goes to the page, and every
   *   other body to a route of the same address
   */
  match(method: string, pathname: string, isForm = false): Match<App, Viewer> {
    const path = decodedPath(pathname)
    const isRead = method === 'GET' || method === 'HEAD'
    if (isForm) {
      const page = this.#formPageAt(method, pathname)
      if (page !== undefined) return { kind: 'page', pattern: page.path, page }
    }
    const [found] = this.#routes.match(isRead ? 'GET' : method, path)[0]
    if (found !== undefined) {
      const [route, params] = found as [Route<App, Viewer>, Record<string, string>]
      return { kind: 'route', pattern: route.path, route, params: decodedParams(params) }
    }
    const formPage = this.#formPageAt(method, pathname)
    if (formPage !== undefined) return { kind: 'page', pattern: formPage.path, page: formPage }
    const page = this.pageAt(pathname)
    if (isRead && (page !== undefined || !this.#routeRoots.has(rootOf(path))))
      return { kind: 'page', pattern: page?.path ?? anyPattern, page }
    const methods = this.#methodsAt(path, page)
    const declared =
      isRead && methods.length === 0 ? this.#spellings.match('GET', path.toLowerCase())[0][0]?.[0] : undefined
    if (declared !== undefined) return { kind: 'moved', pattern: declared, to: spelledAs(declared, pathname) }
    return { kind: 'nothing', pattern: anyPattern, error: nothingAt(method, methods) }
  }

  pageAt(pathname: string): Page | undefined {
    const plain = this.#plainPages.get(pathname)
    if (plain !== undefined) return plain
    const path = decodedPath(pagePathOf(pathname) ?? pathname)
      .toLowerCase()
      .replace(/\/+$/, '')
    return this.#pages.match('GET', path === '' ? '/' : path)[0][0]?.[0]
  }

  /** The page that takes a form at a path. The router's own requests for data send no forms. */
  #formPageAt(method: string, pathname: string): Page | undefined {
    if (method !== 'POST' || pagePathOf(pathname) !== undefined) return undefined
    const page = this.pageAt(pathname)
    return page?.form === undefined ? undefined : page
  }

  /** The methods of routes and probes at a path and, beside them, of a page. */
  #methodsAt(path: string, page: Page | undefined): string[] {
    const methods = this.#methods.match('GET', path)[0].flatMap(([methods]) => methods)
    return methods.length > 0 && page !== undefined ? [...methods, 'GET', 'HEAD'] : methods
  }
}

/** 405 where other methods are answered, else 404. */
function nothingAt(method: string, methods: readonly string[]): AppError {
  if (methods.length === 0) return notFound()
  const allow = [...new Set(methods)].sort()
  return methodNotAllowed(method, allow.join(', '), { allow })
}

/** The router takes the first of several that fit: a plain part goes before a parameter, and a rest after all. */
function plainFirst<T extends { path: string }>(declared: readonly T[]): T[] {
  const parameters = ({ path }: T): number => (path.endsWith('/*') ? Infinity : path.split('/:').length)
  return [...declared].sort((a, b) => parameters(a) - parameters(b))
}

/** Slashes that are spelt out do not divide the path. */
function decodedPath(pathname: string): string {
  return pathname.includes('%') && isReadable(pathname) ? decodeURI(pathname.replaceAll('%25', '%2525')) : pathname
}

function decodedParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isReadable(value) ? decodeURIComponent(value) : value]),
  )
}

function rootOf(path: string): string {
  return path.split('/')[1]?.toLowerCase() ?? ''
}

export const notFound = defineError({
  code: 'not_found',
  status: 404,
  sentence: 'There is nothing at this address.',
  remedy: 'Compare the address with the list of routes.',
})

const methodNotAllowed = defineError({
  code: 'method.not_allowed',
  status: 405,
  sentence: (method: string, allow: string) => `This address cannot be asked with ${method}, only with ${allow}.`,
  remedy: 'Use a method of the header Allow.',
})
