/**
 * The declaration of every page. A feature lists its pages in its `pages.ts`; `src/routes.ts` puts the lists together.
 */
interface PageFacts {
  /**
   * `/things/:id`, `:id?` for a part that may be missing, and `/things/*` for whatever nothing else declares below. This is its one spelling: the server sends other spellings of
   * its plain parts on to it. The log writes this pattern, never the address of a request.
   */
  path: string
  /** The route module, below `src/`. */
  file: string
  /** The name of its route, where the module stands at several paths; `path` without its first slash where it is not said. */
  id?: string
  /** Whether the browser's router, too, takes no other spelling of the path. */
  isCaseSensitive?: boolean
  /** The form that its `action` takes; without one, its address is only read. */
  form?: PageForm
  /** The limit that its use cases consume: the first part of its rules' names. Beyond it the page says so, with status 429. */
  rateLimit?: string
}

/**
 * A form that works without JavaScript: a POST of its fields to the page's own address, whose answer is the page, or the
 * way to another (docs/decisions/2026-11-22-forms-without-javascript.md).
 */
export interface PageForm {
  maxBodyBytes: number
  /** The names of its fields; others are ignored. A form of more than 200 fields is not read. */
  fields: readonly string[]
  /** Whether its answer may lead to another site. A browser applies the policy of the page to that redirect as well. */
  leavesSite?: boolean
  /** Whether it may come as `multipart/form-data` as well, in which no field is found: the address says all (RFC 8058). */
  takesParts?: boolean
  /** A sentence for those who cannot wait, where a limit stands in place of the page; with the operator's address. */
  urgent?: (contactEmail: string) => string
}

/** Rendered for everybody from its path and its parameters. The finished page is cached until the content changes. */
export interface PublicPage extends PageFacts {
  kind: 'public'
  /** The query parameters that it reads, in the order in which it writes them; all others are dropped before it is rendered. */
  parameters?: readonly string[]
  /** Whether visitors come here first: what its scripts share with the frame of the site is in one file with it. */
  isEntrance?: boolean
}

/** The same for everybody, whatever its query says: the browser asks for the rest, and each of those calls is guarded. */
export interface ShellPage extends PageFacts {
  kind: 'shell'
  /** The access to the content behind it. `vip` and `admin` pages stand inside a guard that checks before it opens. */
  access: 'anyone' | 'member' | 'vip' | 'admin'
}

/** Rendered for each request and never cached. Its loader may look at the visit (`pageVisit`). */
export interface UncachedPage extends PageFacts {
  kind: 'uncached'
  parameters?: readonly string[]
}

export type Page = PublicPage | ShellPage | UncachedPage

export function parametersOf(page: Page | undefined): readonly string[] {
  return page === undefined || page.kind === 'shell' ? [] : (page.parameters ?? [])
}

/**
 * Declares the shells of administrators in a feature.
 * @param folder the one of their route modules, below `src/`
 */
export function adminShells(folder: string): (path: string, file: string) => Page {
  return (path, file) => ({ kind: 'shell', access: 'admin', path, isCaseSensitive: true, file: `${folder}/${file}` })
}
