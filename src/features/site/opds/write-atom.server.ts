import { counted } from '../../../platform/counted.ts'
import {
  atPage,
  entriesWith,
  type Feed,
  type NavigationEntry,
  pagesAround,
  type Publication,
  rels,
  searchDescriptionPath,
  searchDescriptionType,
  signInAddress,
} from './feed.ts'
import { opds2Types } from './write-opds2.server.ts'

const root = '/opds'

const profile = 'application/atom+xml;profile=opds-catalog'

/** The media types of the feeds of OPDS 1.2. */
export const atomTypes = {
  navigation: `${profile};kind=navigation`,
  acquisition: `${profile};kind=acquisition`,
} as const

interface Site {
  brandName: string
  /** Without a slash at the end. */
  publicUrl: string
}

type Attributes = Readonly<Record<string, string | number | undefined>>

/** A feed as OPDS 1.2. */
export function writeAtom(feed: Feed, site: Site): string {
  const { address, title, up, updated, page, perPage, total, kind } = feed
  const type = atomTypes[kind]
  const idOf = (of: string): string => `${site.publicUrl}${root}${of}`
  const own = atPage(address, page)
  const entries =
    kind === 'navigation'
      ? feed.entries.map((entry) => navigationEntry(entry, { id: idOf(entry.address), updated }))
      : feed.publications.map((publication) => publicationEntry(publication))
  const parts = [
    text('id', idOf(own)),
    text('title', title),
    text('updated', updated),
    element('author', {}, text('name', site.brandName), text('uri', site.publicUrl)),
    link('self', root + own, type),
    link('start', root, atomTypes.navigation),
    ...(up === undefined ? [] : [link('up', root + up, atomTypes.navigation)]),
    ...pagesAround(feed).map(([rel, at]) => link(rel, root + at, type)),
    link('search', searchDescriptionPath, searchDescriptionType),
    ...(kind === 'navigation' && feed.offersSignIn
      ? [link(rels.signIn, `${root}/v2${signInAddress}`, opds2Types.signIn)]
      : []),
    text('opensearch:totalResults', String(total)),
    text('opensearch:itemsPerPage', String(perPage)),
    text('opensearch:startIndex', String((page - 1) * perPage + 1)),
    ...entries,
  ]
  return `${declaration}<feed ${namespaces}>${parts.join('')}</feed>`
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespaces = [
  'xmlns="http://www.w3.org/2005/Atom"',
  'xmlns:dc="http://purl.org/dc/terms/"',
  'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"',
  'xmlns:schema="http://schema.org/"',
  'xmlns:thr="http://purl.org/syndication/thread/1.0"',
].join(' ')

/** The description of the search, which reading programs ask for. */
export function writeSearchDescription({ brandName, publicUrl }: Site): string {
  const template = (path: string): string => `${publicUrl}${path}/entries?query={searchTerms}`
  const parts = [
    text('ShortName', Array.from(brandName).slice(0, 16).join('')),
    text('Description', 'Searches titles, creators, series and tags.'),
    text('InputEncoding', 'UTF-8'),
    text('OutputEncoding', 'UTF-8'),
    element('Url', { type: atomTypes.acquisition, template: template(root) }),
    element('Url', { type: 'application/opds+json', template: template(`${root}/v2`) }),
  ]
  return `${declaration}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">${parts.join('')}</OpenSearchDescription>`
}

function navigationEntry(
  { title, address, rel, leadsTo, count }: NavigationEntry,
  { id, updated }: { id: string; updated: string },
): string {
  const inWords = count === undefined ? title : counted(count, 'entry', 'entries')
  return element(
    'entry',
    {},
    text('id', id),
    text('title', title),
    text('updated', updated),
    text('content', inWords, { type: 'text' }),
    link(rel, root + address, atomTypes[leadsTo], { 'thr:count': count }),
  )
}

function publicationEntry(publication: Publication): string {
  const { id, title, creators, category, tags, languages, year, series, description, rights, cover } = publication
  const volume = series?.number === undefined ? undefined : `Volume ${series.number} of ${series.name}.`
  const summary = [volume, description].filter((part) => part !== undefined).join('\n\n')
  return element(
    'entry',
    {},
    text('id', `urn:uuid:${id}`),
    text('title', title),
    ...creators.map((name) =>
      element('author', {}, text('name', name), text('uri', root + entriesWith('creator', name))),
    ),
    text('published', publication.published),
    text('updated', publication.updated),
    ...languages.map((language) => text('dc:language', language)),
    ...(year === undefined ? [] : [text('dc:issued', String(year).padStart(4, '0'))]),
    ...[category, ...tags].map((term) => element('category', { term, label: term })),
    ...(series === undefined
      ? []
      : [element('schema:Series', { 'schema:name': series.name, 'schema:position': series.number })]),
    ...(series === undefined
      ? []
      : [link('related', root + entriesWith('series', series.name), atomTypes.acquisition, { title: series.name })]),
    ...(summary === '' ? [] : [text('summary', summary, { type: 'text' })]),
    text('rights', rights),
    link(rels.thumbnail, cover.small.href, cover.small.type),
    link(rels.image, cover.photo.href, cover.photo.type),
    link('alternate', publication.page, 'text/html'),
    ...publication.downloads.map(({ href, type, title: words, size }) =>
      link(rels.acquisition, href, type, { title: words, length: size }),
    ),
  )
}

function link(rel: string, href: string, type: string, more: Attributes = {}): string {
  return element('link', { rel, href, type, ...more })
}

function text(name: string, content: string, attributes: Attributes = {}): string {
  return element(name, attributes, escaped(content))
}

function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
  return content.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${content.join('')}</${name}>`
}

/** XML knows no other control characters, and no halves of characters. */
function escaped(content: string): string {
  return content
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
