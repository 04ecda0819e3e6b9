import { z } from 'zod'
import { notFound } from '../../../http/match.ts'
import {
  badParameter,
  choiceParameter,
  numberParameter,
  optionalTextParameter,
  textParameter,
  strictParameters,
} from '../../../http/parameters.ts'
import { redirectReply } from '../../../http/reply.ts'
import { declareRoutes, FileAnswer, type Route, type RouteReply } from '../../../http/route.ts'
import { coverNotFound } from '../../catalogue/details/read-cover.server.ts'
import { coverReply, photoReply } from '../../catalogue/details/routes.server.ts'
import { storeFailure } from '../../catalogue/evidence/evidence-failures.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { type Feed, searchDescriptionPath, searchDescriptionType } from './feed.ts'
import {
  asReader,
  type NavigationList,
  navigationLists,
  readEntries,
  readEntry,
  readNavigation,
  readRoot,
} from './feeds.server.ts'
import { type OpdsVersion, readerUnknown, recogniseReader, signInReply } from './recognise-reader.server.ts'
import { atomTypes, writeAtom, writeSearchDescription } from './write-atom.server.ts'
import { opds2Types, writeOpds2, writePublication } from './write-opds2.server.ts'

const declare = declareRoutes<SiteApp, Viewer, 'method'>({
  access: 'anyone',
  method: 'GET',
  caching: 'shared',
  isDocument: true,
  rateLimit: 'app-password',
  invalid: badParameter,
})

/**
 * With the half minute in which every instance hears of a change, a removal is gone within a whole one. Proxies know that a reader
 * who signs in gets another answer.
 */
const headers = { 'cache-control': 'public, max-age=30', vary: 'accept-encoding, authorization' }

const page = numberParameter('page', { max: 999_999_999, byDefault: 1 })
const value = (name: string, max: number) => optionalTextParameter(name, max, 'A value, whole.')

const RootParameters = strictParameters({ auth: choiceParameter('auth', ['1']).optional() })
const ListParameters = strictParameters({ page })
const EntriesParameters = strictParameters({
  page,
  query: textParameter('query', 500, 'A text.'),
  shelf: value('shelf', 60),
  creator: value('creator', 200),
  series: value('series', 200),
  category: value('category', 60),
  language: value('language', 60),
  tag: value('tag', 60),
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, { error: 'The parameter month must be a year and a month, such as 2006-05.' })
    .optional(),
})

const ListParams = z.object({
  list: z.string().transform((name): NavigationList => {
    const list = navigationLists.find((each) => each === name)
    if (list === undefined) throw notFound()
    return list
  }),
})

/** The feeds of one version (docs/spec/opds.md). */
function feedRoutes(version: OpdsVersion, root: '/opds' | '/opds/v2'): Route<SiteApp, Viewer>[] {
  const recognise: Route<SiteApp, Viewer>['recognise'] = (app, caller) => recogniseReader(app, caller, version)
  const answer = (app: SiteApp, feed: Feed): RouteReply => {
    const { brandName } = app.texts.inForce
    return version === '1.2'
      ? {
          status: 200,
          mediaType: atomTypes[feed.kind],
          headers,
          body: () => writeAtom(feed, { brandName, publicUrl: app.config.publicUrl }),
        }
      : { status: 200, mediaType: opds2Types.feed, headers, body: () => writeOpds2(feed) }
  }
  const answers = { 200: new FileAnswer(...(version === '1.2' ? Object.values(atomTypes) : [opds2Types.feed])) }
  const errors = [readerUnknown, badParameter]
  return [
    declare({
      path: root,
      summary: `The catalogue as OPDS ${version}: the feed that leads to all others.`,
      query: RootParameters,
      answers,
      errors,
      recognise,
      handle: async (app, { viewer, query }) =>
        query.auth === '1' && viewer.member === undefined
          ? signInReply(app, version)
          : answer(app, await readRoot(app, asReader(viewer))),
    }),
    // People type it so; the rule of the interface knows one spelling.
    declare({
      path: `${root}/`,
      caching: 'never',
      summary: `Leads to the catalogue as OPDS ${version}.`,
      answers: { 302: null },
      errors,
      recognise,
      handle: () => Promise.resolve(redirectReply(root)),
    }),
    declare({
      path: `${root}/entries`,
      summary: `Entries as OPDS ${version}, with their downloads.`,
      query: EntriesParameters,
      answers,
      errors: [...errors, notFound],
      recognise,
      handle: async (app, { viewer, query }) => answer(app, await readEntries(app, asReader(viewer), query)),
    }),
    declare({
      path: `${root}/:list`,
      summary: `Creators, series, categories, languages or months as OPDS ${version}.`,
      params: ListParams,
      query: ListParameters,
      answers,
      errors: [...errors, notFound],
      recognise,
      handle: async (app, { viewer, params, query }) =>
        answer(app, await readNavigation(app, asReader(viewer), { ...params, ...query })),
    }),
  ]
}

/** The catalogues for reading programs (docs/spec/opds.md). */
export const opdsRoutes: Route<SiteApp, Viewer>[] = [
  ...feedRoutes('1.2', '/opds'),
  ...feedRoutes('2.0', '/opds/v2'),
  declare({
    path: '/opds/v2/entries/:slug',
    params: z.object({ slug: z.string() }),
    summary: 'One entry as OPDS 2.0.',
    query: strictParameters({}),
    answers: { 200: new FileAnswer(opds2Types.publication) },
    errors: [readerUnknown, badParameter, notFound],
    recognise: (app, caller) => recogniseReader(app, caller, '2.0'),
    async handle(app, { viewer, params }) {
      const publication = await readEntry(app, asReader(viewer), params.slug)
      return { status: 200, mediaType: opds2Types.publication, headers, body: () => writePublication(publication) }
    },
  }),
  declare({
    path: searchDescriptionPath,
    summary: 'How reading programs search, as OpenSearch has it.',
    query: strictParameters({}),
    answers: { 200: new FileAnswer(searchDescriptionType) },
    errors: [readerUnknown, badParameter],
    recognise: (app, caller) => recogniseReader(app, caller, '1.2'),
    handle: ({ texts, config }) =>
      Promise.resolve({
        status: 200,
        mediaType: searchDescriptionType,
        headers,
        body: () => writeSearchDescription({ brandName: texts.inForce.brandName, publicUrl: config.publicUrl }),
      }),
  }),
  declare({
    path: '/opds/covers/:file',
    params: z.object({ file: z.string() }),
    summary: 'The cover of an entry by its slug, as it is kept or drawn; with .jpg as JPEG.',
    query: strictParameters({}),
    answers: { 200: new FileAnswer('image/svg+xml', 'image/webp', 'image/jpeg') },
    errors: [readerUnknown, badParameter, coverNotFound, storeFailure],
    recognise: (app, caller) => recogniseReader(app, caller, '1.2'),
    async handle(app, { viewer, params: { file } }) {
      const [, slug = '', kind] = /^([a-z0-9-]{1,120})(\.jpg)?$/.exec(file) ?? []
      const reply = await (kind === undefined ? coverReply : photoReply)(app, asReader(viewer), slug)
      return { ...reply, headers }
    },
  }),
]
