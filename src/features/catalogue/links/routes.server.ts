import { MessageAnswer } from '../../../http/message-schema.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../accounts/user/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { reportLink } from './report-link.server.ts'
import { LinkReport } from './report-schema.ts'

const route = declareRoutes<CatalogueApp, Viewer>()

/** The reports of dead links over HTTP (docs/spec/links.md#reports). */
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
    errors: ['item.link_not_found'],
    handle: async (app, { viewer, body, address }) => {
      await reportLink(app, viewer, { ...body, address })
      return jsonReply({ message: 'Thank you. The link has been reported.' }, { status: 202 })
    },
  }),
]
