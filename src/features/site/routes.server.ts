import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { MessageAnswer } from '../../http/message-schema.ts'
import { jsonReply, plainText, redirectReply, textReply } from '../../http/reply.ts'
import { notFound } from '../../http/match.ts'
import { textField, strictBody } from '../../http/body-fields.ts'
import { metricsType } from '../../platform/metrics/metric.ts'
import { packageRoot } from '../../platform/package-files.ts'
import { badParameter, choiceParameter, idParams, textParameter } from '../../http/parameters.ts'
import { declareRoutes, FileAnswer, type Route } from '../../http/route.ts'
import { unknownMember } from '../accounts/user/unknown-member.server.ts'
import { anonymous, type Viewer } from '../office/viewer/viewer.ts'
import type { SiteApp } from './app.ts'
import { AdminSearch, longestQuery } from './admin-search/admin-search-schema.ts'
import { searchAdministration } from './admin-search/search-administration.server.ts'
import { appearanceRoutes } from './appearance/routes.server.ts'
import { discoveryRoutes } from './discovery/routes.server.ts'
import { feedRoutes } from './feeds/routes.server.ts'
import { opdsRoutes } from './opds/routes.server.ts'
import { answerMetrics } from './metrics/answer-metrics.server.ts'
import { jobRoutes } from './jobs/routes.server.ts'
import { homeRoutes } from './home/routes.server.ts'
import { SettingsInForce } from './settings-schema.ts'
import { securityText, securityTextPath } from './security-text.ts'
import { readCachedReport } from './statistics/read-cached-report.server.ts'
import { readStatistics } from './statistics/read-statistics.server.ts'
import { statisticsRangeNames } from './statistics/statistics-range.ts'
import { Statistics, StatisticsReport } from './statistics/statistics-schema.ts'
import { asCaller } from '../membership/access/find-member.server.ts'
import { paymentsOff, stripeErrors } from '../membership/stripe/payments.server.ts'
import { textRoutes } from '../office/texts/routes.server.ts'
import { deleteAccount } from './account/delete-account.server.ts'
import { exportMyData } from './account/export-my-data.server.ts'
import { MemberExport } from './account/export-schema.ts'
import { limitInterface } from './interface-limits.server.ts'
import { eraseMember, exportMember } from './account/serve-member.server.ts'
import { subscriptionUnended } from '../membership/account/end-membership.server.ts'
import { busy } from '../membership/access/lock-member.server.ts'
import { otherAccount } from '../accounts/account/close-account.server.ts'
import { lastAdministratorStays, lastSafetyOfficerStays } from '../accounts/user/last-administrator.server.ts'
import { notByThem } from '../accounts/administrators/safety-officer.server.ts'

const route = declareRoutes<SiteApp, Viewer>()

const adminRoute = declareRoutes<SiteApp, Viewer, 'method'>({
  access: 'admin',
  method: 'GET',
  caching: 'never',
  maxBodyBytes: 16 * 1024,
})

/** Written from the routes, and held to them by a test; the same as long as the process lives. */
let document: Buffer | undefined

/** The site's part of the HTTP interface: the calls that are composed of all features, and the interface's own description. */
export const siteRoutes: Route<SiteApp, Viewer>[] = [
  ...textRoutes<SiteApp>((app) => app.listing.catchUp()),
  ...appearanceRoutes,
  ...discoveryRoutes,
  ...feedRoutes,
  ...opdsRoutes,
  ...jobRoutes,
  ...homeRoutes,
  adminRoute({
    path: '/api/admin/search',
    summary: 'Entries of every status, members, notices and settings with a text; a few of each.',
    query: z.object({ q: textParameter('q', longestQuery, 'The text.') }),
    invalid: badParameter,
    answers: { 200: AdminSearch },
    handle: async (app, { viewer, query }) => jsonReply(await searchAdministration(app, viewer, query.q)),
  }),
  adminRoute({
    path: '/api/admin/settings',
    summary: 'The settings in force, and where each is from; secrets as ***.',
    answers: { 200: SettingsInForce },
    handle: ({ config }) => Promise.resolve(jsonReply(config.settings)),
  }),
  adminRoute({
    needsClientKey: true,
    path: '/api/stats',
    summary: 'How many members, VIPs and content requests there are.',
    answers: { 200: Statistics },
    handle: async (app) => jsonReply(await readStatistics(app)),
  }),
  adminRoute({
    path: '/api/stats/report',
    readsReplica: true,
    summary:
      'Growth, VIPs, revenue, downloads and searches without a result, of a range; computed at most once a minute.',
    query: z.object({
      range: choiceParameter('range', statisticsRangeNames)
        .default('30d')
        .meta({ description: 'How far back; 30d where none is given.' }),
    }),
    invalid: badParameter,
    answers: { 200: StatisticsReport },
    handle: async (app, { viewer, query }) => {
      const body = await readCachedReport(app, viewer, query.range)
      return { status: 200, body: () => body }
    },
  }),
  route({
    access: 'member',
    method: 'GET',
    path: '/auth/export',
    needsProofWithin: 15,
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
    needsProofWithin: 15,
    caching: 'never',
    maxBodyBytes: 16 * 1024,
    summary: "Deletes the caller's own account, after its subscription has been cancelled.",
    params: z.object({ email: z.string().meta({ description: "The address of the caller's own account." }) }),
    answers: { 200: MessageAnswer },
    errors: [
      otherAccount,
      lastAdministratorStays,
      lastSafetyOfficerStays,
      subscriptionUnended,
      busy,
      paymentsOff,
      ...stripeErrors,
    ],
    handle: async (app, { viewer, params }) => {
      await asCaller(deleteAccount(app, viewer, { email: params.email }))
      return jsonReply({ message: 'Account successfully deleted.' })
    },
  }),
  route({
    access: 'admin',
    method: 'GET',
    path: '/api/people/:id/export',
    needsProofWithin: 15,
    caching: 'never',
    summary: 'Everything that the site keeps of a member, as a file for them.',
    params: idParams('The id of the member.', unknownMember),
    answers: { 200: MemberExport },
    errors: [unknownMember],
    handle: async (app, { viewer, params: { id } }) =>
      jsonReply(await exportMember(app, viewer, { id }), {
        headers: { 'content-disposition': 'attachment; filename="member-data.json"' },
      }),
  }),
  route({
    access: 'admin',
    method: 'DELETE',
    path: '/api/people/:id',
    needsProofWithin: 15,
    caching: 'never',
    maxBodyBytes: 16 * 1024,
    summary: "Deletes a member's account on their request, after its subscription has been cancelled.",
    params: idParams('The id of the member.', unknownMember),
    body: strictBody({ email: textField('email', 'The address of the account, so that no other is meant.') }),
    answers: { 200: MessageAnswer },
    errors: [
      unknownMember,
      otherAccount,
      lastAdministratorStays,
      notByThem,
      lastSafetyOfficerStays,
      subscriptionUnended,
      busy,
      paymentsOff,
      ...stripeErrors,
    ],
    handle: async (app, { viewer, params: { id }, body: { email } }) => {
      await eraseMember(app, viewer, { id, email })
      return jsonReply({ message: 'The account was deleted.' })
    },
  }),
  route({
    access: 'anyone',
    method: 'GET',
    path: '/metrics',
    isDocument: true,
    // Its bearer names no session.
    recognise: () => Promise.resolve({ viewer: anonymous }),
    caching: 'never',
    summary: 'The figures of this instance for Prometheus, for callers who send METRICS_TOKEN as bearer; else 404.',
    answers: { 200: new FileAnswer(metricsType) },
    errors: [notFound],
    handle: (app, { header }) => answerMetrics(app, header('authorization')),
  }),
  route({
    access: 'anyone',
    method: 'GET',
    path: securityTextPath,
    isDocument: true,
    caching: 'never',
    summary: 'The contact for a weakness of the site (RFC 9116); 404 where SECURITY_CONTACT is unset.',
    answers: { 200: new FileAnswer(plainText) },
    errors: [notFound],
    handle: ({ config, clock }) => {
      const text = securityText(config, clock.now())
      if (text === undefined) throw notFound()
      return Promise.resolve(textReply(text))
    },
  }),
  route({
    access: 'anyone',
    method: 'GET',
    path: '/.well-known/change-password',
    isDocument: true,
    caching: 'never',
    summary: 'Leads to the page where members change their password, for programs that keep passwords.',
    answers: { 302: null },
    handle: () => Promise.resolve(redirectReply('/account')),
  }),
  route({
    access: 'anyone',
    method: 'GET',
    path: '/openapi.json',
    caching: 'private',
    rateLimit: 'interface',
    summary: 'This description of the interface, in OpenAPI 3.1.',
    answers: { 200: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }) },
    handle: async (app, { address }) => {
      await limitInterface(app, address)
      document ??= await readFile(join(packageRoot, 'docs', 'api', 'openapi.json'))
      const bytes = document
      return { status: 200, body: () => bytes }
    },
  }),
]
