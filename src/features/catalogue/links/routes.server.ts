import { z } from 'zod'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import {
  badParameter,
  choiceParameter,
  numberIdParams,
  numberParameter,
  pageParameter,
} from '../../../http/parameters.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { linkStates } from '../item/link-slots.ts'
import { LinksForAdmin } from './links-schema.ts'
import { readLinks } from './read-links.server.ts'
import { reportLink } from './report-link.server.ts'
import { LinkReport } from './report-schema.ts'
import { hostPaused, linkChecksOff, noSuchLink, requestLinkCheck } from './request-link-check.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>()

const maxLinks = 900

const linksQuery = z.object({
  page: pageParameter,
  limit: numberParameter('limit', { max: maxLinks, byDefault: 100 }),
  state: choiceParameter('state', linkStates).optional().meta({ description: 'Only links in this state.' }),
})

/** Reports of dead links (docs/spec/links.md#reports), and their health for administrators (docs/spec/links.md#administration). */
export const linkRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    access: 'anyone',
    method: 'POST',
    path: '/links/report',
    caching: 'never',
    maxBodyBytes: 16 * 1024,
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
    access: 'admin',
    method: 'GET',
    path: '/api/links',
    caching: 'never',
    summary: 'The links of published items and how their checks went; items without a live mirror first.',
    query: linksQuery,
    invalid: badParameter,
    answers: { 200: LinksForAdmin },
    handle: async (app, { query }) => jsonReply(await readLinks(app, query)),
  }),

  route({
    access: 'admin',
    method: 'POST',
    path: '/api/links/:id/check',
    caching: 'never',
    maxBodyBytes: 16 * 1024,
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
