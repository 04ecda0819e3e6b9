import { z } from 'zod'
import { MessageAnswer } from '../../http/message-schema.ts'
import { jsonReply } from '../../http/reply.ts'
import { declareRoutes, type Route } from '../../http/route.ts'
import type { Viewer } from '../accounts/user/viewer.ts'
import type { RequestsApp } from '../requests/app.ts'
import { asCaller } from '../membership/access/find-member.server.ts'
import { stripeErrors } from '../membership/error-codes.ts'
import { textRoutes } from '../accounts/texts/routes.server.ts'
import { deleteAccount } from './account/delete-account.server.ts'
import { exportMyData } from './account/export-my-data.server.ts'
import { MemberExport } from './account/export-schema.ts'

const route = declareRoutes<RequestsApp, Viewer>()

/**
 * The site's part of the HTTP interface: the calls that are composed of all features, and the interface's own
 * description.
 * @param describe writes the OpenAPI document of all routes, these among them
 */
export function siteRoutes(describe: () => Record<string, unknown>): Route<RequestsApp, Viewer>[] {
  let document: string | undefined
  return [
    ...textRoutes<RequestsApp>((app) => app.listing.catchUp()),
    route({
      access: 'member',
      method: 'GET',
      path: '/auth/export',
      caching: 'never',
      rateLimit: 'export',
      summary: 'Everything that the site keeps of the caller, as a file.',
      answers: { 200: MemberExport },
      handle: async (app, { viewer }) =>
        jsonReply(await exportMyData(app, viewer), {
          headers: { 'content-disposition': 'attachment; filename="my-data.json"' },
        }),
    }),
    route({
      access: 'member',
      needsClientKey: true,
      method: 'DELETE',
      path: '/auth/delete-account/:email',
      caching: 'never',
      maxBodyBytes: 16 * 1024,
      summary: "Deletes the caller's own account, after its subscription has been cancelled.",
      params: z.object({ email: z.string().meta({ description: "The address of the caller's own account." }) }),
      answers: { 200: MessageAnswer },
      errors: [
        'account.other',
        'account.last_admin',
        'account.subscription',
        'billing.busy',
        'payments.off',
        ...stripeErrors,
      ],
      handle: async (app, { viewer, params }) => {
        await asCaller(deleteAccount(app, viewer, { email: params.email }))
        return jsonReply({ message: 'Account successfully deleted.' })
      },
    }),
    route({
      access: 'anyone',
      method: 'GET',
      path: '/openapi.json',
      caching: 'shared',
      summary: 'This description of the interface, in OpenAPI 3.1.',
      answers: { 200: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }) },
      handle: () => {
        // The same as long as the process lives.
        document ??= JSON.stringify(describe())
        const text = document
        return Promise.resolve({ status: 200, contentKey: 'openapi', body: () => text })
      },
    }),
  ]
}
