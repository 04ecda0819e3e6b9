import { entriesWith, type Feed, atPage, pagesAround, type Publication, rels, signInAddress } from './feed.ts'

const root = '/opds/v2'

/** The media types of OPDS 2.0. */
export const opds2Types = {
  feed: 'application/opds+json',
  publication: 'application/opds-publication+json',
  signIn: 'application/opds-authentication+json',
} as const

const feedLink = (rel: string, address: string, more: object = {}) => ({
  rel,
  href: root + address,
  type: opds2Types.feed,
  ...more,
})

const searchLink = { rel: 'search', href: `${root}/entries{?query}`, type: opds2Types.feed, templated: true }

/** A feed as OPDS 2.0. */
export function writeOpds2(feed: Feed): string {
  const { address, title, up, updated, page, perPage, total, kind } = feed
  const signIn = { rel: rels.signIn, href: root + signInAddress, type: opds2Types.signIn }
  const offersSignIn = kind === 'navigation' && feed.offersSignIn
  const lists =
    kind === 'navigation'
      ? {
          navigation: feed.entries.map(({ rel, address: at, title: name, count }) =>
            feedLink(rel, at, {
              title: name,
              ...(count === undefined ? {} : { properties: { numberOfItems: count } }),
            }),
          ),
        }
      : { publications: feed.publications.map(publicationIn) }
  return JSON.stringify({
    metadata: { title, modified: updated, numberOfItems: total, itemsPerPage: perPage, currentPage: page },
    links: [
      feedLink('self', atPage(address, page)),
      feedLink('start', ''),
      ...(up === undefined ? [] : [feedLink('up', up)]),
      ...pagesAround(feed).map(([rel, at]) => feedLink(rel, at)),
      searchLink,
      ...(offersSignIn ? [signIn] : []),
    ],
    ...lists,
  })
}

/** One entry as OPDS 2.0. */
export function writePublication(publication: Publication): string {
  return JSON.stringify(publicationIn(publication))
}

function publicationIn(publication: Publication): object {
  const { id, slug, title, creators, category, tags, languages, series, description, cover } = publication
  const linked = (name: string, value: string) => ({
    name: value,
    links: [feedLink('related', entriesWith(name, value))],
  })
  return {
    metadata: {
      '@type': 'http://schema.org/CreativeWork',
      identifier: `urn:uuid:${id}`,
      title,
      ...(creators.length === 0 ? {} : { author: creators.map((name) => linked('creator', name)) }),
      ...(languages.length === 0 ? {} : { language: languages }),
      modified: publication.updated,
      ...(description === undefined ? {} : { description }),
      subject: [linked('category', category), ...tags.map((tag) => linked('tag', tag))],
      ...(series === undefined
        ? {}
        : {
            belongsTo: {
              series: [
                {
                  ...linked('series', series.name),
                  ...(series.number === undefined ? {} : { position: series.number }),
                },
              ],
            },
          }),
      rights: publication.rights,
    },
    links: [
      { rel: 'self', href: `${root}/entries/${slug}`, type: opds2Types.publication },
      { rel: 'alternate', href: publication.page, type: 'text/html' },
      ...(publication.licence === null ? [] : [{ rel: 'license', href: publication.licence, type: 'text/html' }]),
      ...publication.downloads.map(({ href, type, title: words, size }) => ({
        rel: rels.acquisition,
        href,
        type,
        title: words,
        ...(size === undefined ? {} : { size }),
      })),
    ],
    images: [cover.small, cover.photo],
  }
}
