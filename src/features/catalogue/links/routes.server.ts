import { z } from 'zod'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { textField } from '../../../http/body-fields.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import {
  badParameter,
  choiceParameter,
  numberIdParams,
  numberParameter,
  optionalTextParameter,
  pageParameter,
} from '../../../http/parameters.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { linkSlots, linkStates } from '../item/link-slots.ts'
import { LinksForAdmin } from './links-schema.ts'
import { readLinks } from './read-links.server.ts'
import { reportLink } from './report-link.server.ts'
import {
  hostPaused,
  linkChecksOff,
  noSuchLink,
  requestDueChecks,
  requestLinkCheck,
} from './request-link-check.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })

const maxLinks = 900

const LinkReport = z
  .object({
    slug: textField('slug', 'The slug of the item.'),
    slot: z
      .enum(linkSlots, { error: `The field slot must be one of ${linkSlots.join(', ')}.` })
      .meta({ description: 'The field of the item that holds the link.' }),
  })
  .meta({ id: 'LinkReport' })

const linksQuery = z.object({
  page: pageParameter,
  limit: numberParameter('limit', { max: maxLinks, byDefault: 100 }),
  state: choiceParameter('state', linkStates)
    .optional()
    .meta({ description: 'Only entries with a link in this state.' }),
  host: optionalTextParameter('host', 253, 'Only entries with a link on this host, without `www.`.'),
})

/** Reports of dead links (docs/spec/links.md#reports), and their health for administrators (docs/spec/links.md#administration). */
export const linkRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    access: 'anyone',
    method: 'POST',
    path: '/links/report',
    rateLimit: 'link-report',
    summary: 'Reports a link as dead: its check moves to the front.',
    body: LinkReport,
    answers: { 202: MessageAnswer },
    errors: [noSuchLink],
    handle: async (app, { viewer, body, address }) => {
      await reportLink(app, viewer, { ...body, address })
      return jsonReply({ message: 'Thank you. The link has been reported.' }, { status: 202 })
    },
  }),

  route({
    method: 'GET',
    path: '/api/links',
    readsReplica: true,
    summary: 'Published items with their links and how the checks went; those without a live mirror first.',
    query: linksQuery,
    invalid: badParameter,
    answers: { 200: LinksForAdmin },
    handle: async (app, { query }) => jsonReply(await readLinks(app, query)),
  }),

  route({
    method: 'POST',
    path: '/api/links/check',
    summary: 'Has all links checked that are due, among them those that were never checked.',
    answers: { 202: MessageAnswer },
    errors: [linkChecksOff],
    handle: async (app) => {
      await requestDueChecks(app)
      return jsonReply({ message: 'The links are checked now.' }, { status: 202 })
    },
  }),

  route({
    method: 'POST',
    path: '/api/links/:id/check',
    summary: 'Has a link checked before all others, now.',
    params: numberIdParams('The id of the link.', noSuchLink),
    answers: { 202: MessageAnswer },
    errors: [noSuchLink, hostPaused, linkChecksOff],
    handle: async (app, { params }) => {
      await requestLinkCheck(app, { id: params.id })
      return jsonReply({ message: 'The link is checked next.' }, { status: 202 })
    },
  }),
]
