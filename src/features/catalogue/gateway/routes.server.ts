import { z } from 'zod'
import { emptyReply, jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { textField } from '../../../http/body-fields.ts'
import type { Viewer } from '../../accounts/user/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { countVipDownload } from './count-vip-download.server.ts'
import { LinkGatewayConfig } from './gateway-schema.ts'

const route = declareRoutes<CatalogueApp, Viewer>()

/** The gateway's part of the HTTP interface; its pages stand in `catalogue/pages.ts` (docs/spec/catalogue.md#gateway). */
export const gatewayRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    access: 'anyone',
    needsClientKey: true,
    method: 'GET',
    path: '/linkvertise-config',
    caching: 'never',
    summary: 'Which links the gateway rewrites, and for whom.',
    answers: { 200: LinkGatewayConfig },
    handle({ gateway, config }) {
      const { inForce } = gateway.state
      return Promise.resolve(
        jsonReply({
          activeAccount: inForce === 'linkvertise' ? gateway.settings.account : null,
          provider: inForce,
          domains: config.fileHosts.flatMap(({ domains }) => domains),
        }),
      )
    },
  }),

  route({
    access: 'vip',
    method: 'POST',
    path: '/downloads',
    caching: 'never',
    maxBodyBytes: 4 * 1024,
    rateLimit: 'downloads',
    summary: 'Counts a direct link that a VIP has opened. A member counts once a day for each link.',
    body: z.object({
      slug: textField('slug', 'The last part of the address of the item.'),
      slot: textField('slot', "The name of the link's field, such as linkG."),
    }),
    answers: { 204: null },
    errors: ['passage.unknown'],
    async handle(app, { viewer, body }) {
      await countVipDownload(app, viewer, body)
      return emptyReply()
    },
  }),
]
