/*
 * One description of the feeds of both versions of OPDS (docs/spec/opds.md); `write-atom` and `write-opds2` spell it. Addresses
 * begin behind the root of a version: '/creators?page=2'.
 */

/** The relations of links that both versions have in common. */
export const rels = {
  newest: 'http://opds-spec.org/sort/new',
  subsection: 'subsection',
  acquisition: 'http://opds-spec.org/acquisition',
  image: 'http://opds-spec.org/image',
  thumbnail: 'http://opds-spec.org/image/thumbnail',
  signIn: 'http://opds-spec.org/auth/document',
} as const

export const searchDescriptionType = 'application/opensearchdescription+xml'
export const searchDescriptionPath = '/opds/search.xml'
export const signInAddress = '?auth=1'

interface Page {
  address: string
  title: string
  /** Where it hangs; undefined at the root. */
  up: string | undefined
  /** Instant, ISO 8601. */
  updated: string
  /** From 1. */
  page: number
  pages: number
  /** On all pages together. */
  total: number
  perPage: number
}

/** Leads to further feeds. */
export interface NavigationFeed extends Page {
  kind: 'navigation'
  entries: readonly NavigationEntry[]
  /** Whether the reader may yet sign in. */
  offersSignIn: boolean
}

export interface NavigationEntry {
  title: string
  address: string
  rel: (typeof rels)['newest' | 'subsection']
  leadsTo: 'navigation' | 'acquisition'
  /** How many entries of the catalogue it leads to. */
  count?: number
}

/** Entries of the catalogue. */
export interface AcquisitionFeed extends Page {
  kind: 'acquisition'
  publications: readonly Publication[]
}

export type Feed = NavigationFeed | AcquisitionFeed

export interface Publication {
  id: string
  slug: string
  title: string
  creators: readonly string[]
  category: string
  tags: readonly string[]
  languages: readonly string[]
  /** In which the work came out, from 1 to 9999. */
  year: number | undefined
  series: { name: string; number: number | undefined } | undefined
  description: string | undefined
  rights: string
  licence: string | null
  /** Instants, ISO 8601. */
  published: string
  updated: string
  /** The address of its page on the site. */
  page: string
  cover: { small: Resource; photo: Resource }
  downloads: readonly Download[]
}

interface Resource {
  href: string
  type: string
}

export interface Download extends Resource {
  title: string
  /** In bytes. */
  size: number | undefined
}

export function atPage(address: string, page: number): string {
  if (page === 1) return address
  return `${address}${address.includes('?') ? '&' : '?'}page=${page}`
}

/** The pages around one, by the relations of their links. */
export function pagesAround({ address, page, pages }: Page): [rel: string, address: string][] {
  if (pages === 1) return []
  return [
    ['first', atPage(address, 1)],
    ...(page > 1 ? [['previous', atPage(address, page - 1)] as [string, string]] : []),
    ...(page < pages ? [['next', atPage(address, page + 1)] as [string, string]] : []),
    ['last', atPage(address, pages)],
  ]
}

/** The feed of the entries that have a value. */
export function entriesWith(name: string, value: string): string {
  return `/entries?${new URLSearchParams({ [name]: value }).toString()}`
}
