import type { ErrorKind } from '../../../platform/errors.ts'
import { z } from 'zod'
import { counted } from '../../../platform/counted.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { textField, strictBody } from '../../../http/body-fields.ts'
import {
  badParameter,
  choiceParameter,
  idParams,
  numberParameter,
  pageParameter,
  textParameter,
} from '../../../http/parameters.ts'
import type { AccountsApp } from '../app.ts'
import { AuditEventsForAdmin } from '../../office/audit/audit-log-schema.ts'
import { readAuditEvents } from '../../office/audit/read-audit-log.server.ts'
import { auditBefore } from '../../office/audit/routes.server.ts'
import { factorOfAdministrator, removeFactorsOfMember } from '../factors/remove-factors.server.ts'
import { maxMemberSearch } from '../user/member-search.server.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import {
  makeMemberAdministrator,
  nameMemberSafetyOfficer,
  noPassword,
  notAdministrator,
  withdrawAdministrator,
  withdrawMemberSafetyOfficer,
} from './change-role.server.ts'
import { forgetDevicesOfMember, sendResetLink, signOutEverywhere } from './help-member.server.ts'
import { findPerson } from './find-person.server.ts'
import { listPeople } from './list-people.server.ts'
import { recordLongList } from './record-members-export.server.ts'
import { noteConflict, saveMemberNote } from './member-note.server.ts'
import { MemberNote } from '../account/account-schema.ts'
import { People, peopleOrders, peopleRoles, peopleStates, Person } from './people-schema.ts'
import { unlockMember } from '../sign-in/unlock-account.server.ts'
import { readPerson } from './read-person.server.ts'
import { invalidAccount } from '../user/assert-valid.server.ts'
import { notByThem } from '../administrators/safety-officer.server.ts'
import { lastAdministratorStays, lastSafetyOfficerStays } from '../user/last-administrator.server.ts'

const route = declareRoutes<AccountsApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 64 * 1024 })

const eventsOfATrail = 25

const params = idParams('The id of the member.', unknownMember)

/** An act on a member, which answers with a sentence about what it has done. */
function act(
  method: 'POST' | 'DELETE',
  name: string,
  {
    errors = [],
    work,
    ...declared
  }: {
    summary: string
    needsProofWithin?: 15
    errors?: readonly ErrorKind[]
    work: (app: AccountsApp, viewer: Viewer, which: { id: string }) => Promise<string>
  },
): Route<AccountsApp, Viewer> {
  return route({
    ...declared,
    method,
    path: `/api/people/:id/${name}`,
    params,
    answers: { 200: MessageAnswer },
    errors: [unknownMember, ...errors],
    handle: async (app, { viewer, params: which }) => jsonReply({ message: await work(app, viewer, which) }),
  })
}

/** Members for administrators (docs/spec/accounts.md#people). */
export const peopleRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/people',
    readsReplica: true,
    summary:
      'The members, by words of their name or address, by role and by state. An answer with more than 100 is an export: it is recorded, and told by email.',
    query: z.object({
      search: textParameter('search', maxMemberSearch, 'Words of a name or an address.'),
      role: choiceParameter('role', peopleRoles).default('all'),
      state: choiceParameter('state', peopleStates).default('all').meta({
        description: 'unconfirmed: who has not confirmed their address yet; invited: who has not set a password yet.',
      }),
      sort: choiceParameter('sort', peopleOrders)
        .default('joined')
        .meta({ description: 'joined: the newest member first; seen: who was here last first.' }),
      page: pageParameter,
      limit: numberParameter('limit', { max: 1_000, byDefault: 50 }),
    }),
    invalid: badParameter,
    answers: { 200: People },
    async handle(app, { viewer, query }) {
      const found = await listPeople(app, query)
      await recordLongList(app, viewer, found.people.length)
      return jsonReply(found)
    },
  }),

  route({
    method: 'GET',
    path: '/api/people/:id',
    summary:
      'One member: profile, roles, note, sessions, devices, how many factors they have, and whether they can sign in.',
    params,
    answers: { 200: Person },
    errors: [unknownMember],
    handle: async (app, { viewer, params: { id } }) => jsonReply(await readPerson(app, viewer, { id })),
  }),

  route({
    method: 'GET',
    path: '/api/people/:id/trail',
    readsReplica: true,
    summary: 'The events of the audit log about a member: acts on them, and their own. The latest first.',
    params,
    query: z.object({ before: auditBefore }),
    invalid: badParameter,
    answers: { 200: AuditEventsForAdmin },
    errors: [unknownMember],
    async handle(app, { viewer, params: { id }, query: { before } }) {
      const { id: person } = await findPerson(app, { id })
      return jsonReply(await readAuditEvents(app, viewer, { person, before, limit: eventsOfATrail }))
    },
  }),

  route({
    method: 'PUT',
    path: '/api/people/:id/note',
    summary: 'Writes what the operator notes of a member, over the version that was read.',
    params,
    body: strictBody({
      text: textField(
        'text',
        'The note, of at most 10,000 characters; it is part of the data that the member can ask for.',
      ),
      version: z
        .int({ error: 'The field version must be a whole number.' })
        .meta({ description: 'As GET /api/people/:id has it.' }),
    }),
    invalid: invalidAccount,
    answers: { 200: MemberNote },
    errors: [unknownMember, noteConflict],
    handle: async (app, { viewer, params: { id }, body }) =>
      jsonReply(await saveMemberNote(app, viewer, { id, ...body })),
  }),

  act('DELETE', 'sessions', {
    needsProofWithin: 15,
    summary: 'Signs a member out on every device, and ends their app passwords.',
    async work(app, viewer, which) {
      const { sessions, appPasswords } = await signOutEverywhere(app, viewer, which)
      const parts = [
        ...(sessions === 0 ? [] : [counted(sessions, 'session')]),
        ...(appPasswords === 0 ? [] : [counted(appPasswords, 'app password')]),
      ]
      const verb = sessions + appPasswords === 1 ? 'has' : 'have'
      return parts.length === 0 ? 'There was no session to end.' : `${parts.join(' and ')} ${verb} ended.`
    },
  }),

  act('DELETE', 'devices', {
    needsProofWithin: 15,
    summary: 'Forgets the devices of a member. Their sessions stay.',
    async work(app, viewer, which) {
      const { devices } = await forgetDevicesOfMember(app, viewer, which)
      return devices === 0 ? 'No device was known.' : `${counted(devices, 'device is', 'devices are')} forgotten.`
    },
  }),

  act('DELETE', 'factors', {
    needsProofWithin: 15,
    summary: 'Removes the second factor of a member who has lost it, ends their sessions and tells them by email.',
    errors: [factorOfAdministrator],
    work: async (app, viewer, which) =>
      (await removeFactorsOfMember(app, viewer, which))
        ? 'Their second factor is removed, and their sessions have ended.'
        : 'There was no second factor.',
  }),

  route({
    method: 'POST',
    path: '/api/people/:id/reset-link',
    rateLimit: 'reset-link',
    summary: 'Sends a member a link that sets a new password, or their invitation once more.',
    params,
    answers: { 202: MessageAnswer },
    errors: [unknownMember],
    handle: async (app, { viewer, params: { id } }) => {
      const kind = await sendResetLink(app, viewer, { id })
      const message =
        kind === 'reset'
          ? 'The link was sent. It works for 30 minutes.'
          : 'The invitation was sent. It works for 7 days.'
      return jsonReply({ message }, { status: 202 })
    },
  }),

  act('POST', 'unlock', {
    needsProofWithin: 15,
    summary:
      'Ends the waits of an account for wrong passwords, also those of its devices. Waits for wrong second factors stay.',
    async work(app, viewer, which) {
      await unlockMember(app, viewer, which)
      return 'They can try their password again at once.'
    },
  }),

  act('POST', 'administrator', {
    summary: 'Makes a member an administrator, ends their sessions and tells them and every administrator by email.',
    errors: [noPassword],
    async work(app, viewer, which) {
      await makeMemberAdministrator(app, viewer, which)
      return 'They are an administrator from their next sign-in on.'
    },
  }),

  act('DELETE', 'administrator', {
    summary:
      'Takes the role of an administrator from a member, and tells them and every administrator by email. The last one stays, and so does a safety officer who is not the caller.',
    errors: [notByThem, lastAdministratorStays, lastSafetyOfficerStays],
    async work(app, viewer, which) {
      await withdrawAdministrator(app, viewer, which)
      return 'They are no administrator any more.'
    },
  }),

  act('POST', 'safety-officer', {
    needsProofWithin: 15,
    summary:
      'Names another administrator as a safety officer, who sees notices about children, and tells them and every administrator by email. Safety officers alone do, and nobody names themselves.',
    errors: [notByThem, notAdministrator],
    async work(app, viewer, which) {
      await nameMemberSafetyOfficer(app, viewer, which)
      return 'They are a safety officer now.'
    },
  }),

  act('DELETE', 'safety-officer', {
    needsProofWithin: 15,
    summary:
      'Gives up the own mark of a safety officer, and tells every administrator by email. Nobody takes it from somebody else; the last one stays.',
    errors: [notByThem, lastSafetyOfficerStays],
    async work(app, viewer, which) {
      await withdrawMemberSafetyOfficer(app, viewer, which)
      return 'They are no safety officer any more.'
    },
  }),
]
