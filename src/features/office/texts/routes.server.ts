import { z } from 'zod'
import { strictBody } from '../../../http/body-fields.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { OfficeApp } from '../app.ts'
import type { Viewer } from '../viewer/viewer.ts'
import { badText, noSuchText, readSiteTexts, saveSiteText, textConflict } from './save-site-text.server.ts'
import { SiteTextForAdmin, SiteTextsForAdmin } from './texts-schema.ts'

const versionError = 'version must be the number that the text was read with.'
const valueError = 'value must be a text, or null for the first one.'

const TextBody = strictBody({
  value: z
    .string({ error: valueError })
    .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: valueError })
    .nullable()
    .meta({ description: 'The text; null takes the first one back.' }),
  version: z.int({ error: versionError }).min(0, versionError).max(1_000_000_000, versionError),
})

/**
 * The texts of the site for administrators (docs/spec/pages.md#site-texts).
 * @param putInForce brings this process to what was saved, before it answers
 */
export function textRoutes<App extends OfficeApp>(putInForce: (app: App) => Promise<void>): Route<App, Viewer>[] {
  const route = declareRoutes<App, Viewer>()
  return [
    route({
      access: 'admin',
      method: 'GET',
      path: '/api/texts',
      caching: 'never',
      summary: 'The texts of the site that administrators may change.',
      answers: { 200: SiteTextsForAdmin },
      handle: async (app) => jsonReply({ texts: await readSiteTexts(app) }),
    }),
    route({
      access: 'admin',
      method: 'PUT',
      path: '/api/texts/:key',
      caching: 'never',
      maxBodyBytes: 256 * 1024,
      summary: 'Saves a text of the site, if nobody else has since it was read. It is in force at once.',
      params: z.object({ key: z.string().meta({ description: 'The key of the text.' }) }),
      body: TextBody,
      answers: { 200: SiteTextForAdmin },
      errors: [noSuchText, badText, textConflict],
      async handle(app, { viewer, params, body }) {
        try {
          return jsonReply(await saveSiteText(app, viewer, { key: params.key, ...body }))
        } finally {
          await putInForce(app)
        }
      },
    }),
  ]
}
