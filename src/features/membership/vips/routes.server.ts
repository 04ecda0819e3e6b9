import { z } from 'zod'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type JsonReply, type Route } from '../../../http/route.ts'
import {
  badParameter,
  choiceParameter,
  idParams,
  numberParameter,
  optionalNumberParameter,
  textParameter,
} from '../../../http/parameters.ts'
import { recordLongList } from '../../accounts/people/record-members-export.server.ts'
import { maxMemberSearch } from '../../accounts/user/member-search.server.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { MembershipApp } from '../app.ts'
import { disableVip, uncancelled } from './disable-vip.server.ts'
import { listDisabledVips, listVips } from './list-vips.server.ts'
import { readAccessOfMember } from './read-access-of-member.server.ts'
import { renewVip } from './renew-vip.server.ts'
import { AccessOfMember, disabledOrders, vipFilters, VipUsers } from './vip-schema.ts'
import { busy } from '../access/lock-member.server.ts'

async function listReply(
  app: MembershipApp,
  viewer: Viewer,
  { users, total }: Awaited<ReturnType<typeof listVips>>,
): Promise<JsonReply> {
  await recordLongList(app, viewer, users.length)
  return jsonReply(users, { headers: { 'x-total-count': String(total) } })
}

/** None of these calls needs a body. */
const route = declareRoutes<MembershipApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })

const paging = {
  page: optionalNumberParameter('page', { max: 1_000_000, without: 'Without one, all come at once.' }),
  limit: numberParameter('limit', { max: 1_000, byDefault: 100 }),
}

const search = textParameter('search', maxMemberSearch, 'Words of a name or an address.')

const emailParams = z.object({ email: z.string().meta({ description: 'The address of the member.' }) })

/** VIPs for administrators (docs/spec/membership.md#vip-lists). */
export const vipRoutes: Route<MembershipApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/auth/vip-users',
    readsReplica: true,
    summary:
      'Members who have or had VIP access and are not disabled; with a search any member. The header x-total-count has the total; without page all come at once. An answer with more than 100 is an export: it is recorded, and told by email.',
    query: z.object({
      ...paging,
      search,
      filter: choiceParameter('filter', vipFilters)
        .default('all')
        .meta({ description: 'By whether the end lies ahead.' }),
    }),
    invalid: badParameter,
    answers: { 200: VipUsers },
    handle: async (app, { viewer, query: { page, limit, ...asked } }) => {
      const found = await listVips(app, { ...asked, part: page === undefined ? undefined : { page, limit } })
      return listReply(app, viewer, found)
    },
  }),

  route({
    method: 'GET',
    path: '/auth/vip-disabled-users',
    readsReplica: true,
    summary:
      'Members whose membership is disabled. The header x-total-count has the total; without page all come at once. An answer with more than 100 is an export: it is recorded, and told by email.',
    query: z.object({
      ...paging,
      search,
      sort: choiceParameter('sort', disabledOrders)
        .default('date')
        .meta({ description: 'date: the latest end first; or by name.' }),
    }),
    invalid: badParameter,
    answers: { 200: VipUsers },
    handle: async (app, { viewer, query: { page, limit, ...asked } }) => {
      const found = await listDisabledVips(app, { ...asked, part: page === undefined ? undefined : { page, limit } })
      return listReply(app, viewer, found)
    },
  }),

  route({
    method: 'PUT',
    path: '/auth/disable-user/:email',
    summary: 'Disables the membership of a member; what they pay for is cancelled at Stripe first.',
    params: emailParams,
    answers: { 200: MessageAnswer },
    errors: [unknownMember, uncancelled, busy],
    handle: async (app, { viewer, params }) => {
      await disableVip(app, viewer, { email: params.email })
      return jsonReply({ message: 'VIP access was disabled.' })
    },
  }),

  renewal('/auth/renew-vip/:email', { days: 30, inWords: '30 days' }),
  renewal('/auth/renew-vip-year/:email', { days: 365, inWords: '1 year' }),

  route({
    method: 'GET',
    path: '/api/people/:id/access',
    summary: 'Whether a member is VIP, and why.',
    params: idParams('The id of the member.', unknownMember),
    answers: { 200: AccessOfMember },
    errors: [unknownMember],
    handle: async (app, { params }) => jsonReply(await readAccessOfMember(app, { id: params.id })),
  }),
]

function renewal(path: `/auth/${string}/:email`, { days, inWords }: { days: number; inWords: string }) {
  return route({
    method: 'PUT',
    path,
    summary: `Gives a member VIP access for ${inWords}, from the end of the access that they have now, else from now, and lifts a disabling.`,
    params: emailParams,
    answers: { 200: MessageAnswer },
    errors: [unknownMember, busy],
    handle: async (app, { viewer, params }) => {
      await renewVip(app, viewer, { email: params.email, days })
      return jsonReply({ message: `VIP access was renewed for ${inWords}.` })
    },
  })
}
