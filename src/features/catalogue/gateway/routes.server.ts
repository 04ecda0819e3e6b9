import { z } from 'zod'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { textField, strictBody } from '../../../http/body-fields.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { gatewayProviders, gatewayWaitBounds, publisherIdPattern } from '../catalogue-config.server.ts'
import { GatewayReport, GatewaySettings, LinkGatewayConfig } from './gateway-schema.ts'
import { readGatewayReport } from './read-gateway-report.server.ts'
import { gatewayConflict, saveGatewaySettings, unworkable } from './save-gateway-settings.server.ts'
import { countVipDownload, unknownPassage } from './record-download.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>()

const ofAdministrationRoute = declareRoutes<CatalogueApp, Viewer>({
  access: 'admin',
  caching: 'never',
  maxBodyBytes: 16 * 1024,
})

const { min, max } = gatewayWaitBounds
const waitError = `The wait must be a whole number of seconds from ${min} to ${max}.`
const accountError = 'The account must be your publisher id at Linkvertise, a number, or empty.'

/** A text that may be missing: then it is empty. */
const optionalText = (error: string) =>
  z
    .string({ error })
    .nullish()
    .transform((text) => (text ?? '').trim())

const SettingsBody = strictBody({
  provider: z.enum(gatewayProviders, { error: `The provider must be one of ${gatewayProviders.join(', ')}.` }),
  account: optionalText(accountError).refine((text) => text === '' || publisherIdPattern.test(text), accountError),
  publicKey: optionalText('The key must be a text.').refine(
    (text) => text.length <= 4_000 && text.isWellFormed() && !text.includes('\0'),
    'The key must be a text of at most 4,000 characters.',
  ),
  raw: z.boolean({ error: 'raw must be true or false.' }),
  waitSeconds: z.int({ error: waitError }).min(min, waitError).max(max, waitError),
  version: z
    .int({ error: 'version must be the number that the settings were read with.' })
    .min(0, 'version must be the number that the settings were read with.')
    .max(1_000_000_000, 'version must be the number that the settings were read with.'),
})

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
    errors: [unknownPassage],
    handle: (app, { viewer, body }) => countVipDownload(app, viewer, body),
  }),

  // For administrators (docs/spec/catalogue.md#gateway-settings).
  ofAdministrationRoute({
    method: 'GET',
    path: '/api/gateway',
    summary: 'The settings of the gateway.',
    answers: { 200: GatewaySettings },
    handle: async (app) => jsonReply((await app.gateway.readSaved(app.db)) ?? { ...app.config.gateway, version: 0 }),
  }),

  ofAdministrationRoute({
    method: 'PUT',
    path: '/api/gateway',
    summary: 'Saves the settings of the gateway, if nobody else has since they were read.',
    body: SettingsBody,
    answers: { 200: GatewaySettings },
    errors: [unworkable, gatewayConflict],
    handle: async (app, { viewer, body }) => jsonReply(await saveGatewaySettings(app, viewer, body)),
  }),

  ofAdministrationRoute({
    method: 'GET',
    path: '/api/gateway/report',
    summary: 'The state of the gateway, and the downloads that were begun behind it.',
    answers: { 200: GatewayReport },
    handle: async (app, { viewer }) => jsonReply(await readGatewayReport(app, viewer)),
  }),
]
