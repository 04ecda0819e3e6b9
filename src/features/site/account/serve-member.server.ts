import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { invalidSession } from '../../accounts/sessions/recognise-session.server.ts'
import { viewMember } from '../../accounts/sessions/view-member.server.ts'
import { lastAdministratorStays, lastSafetyOfficerStays } from '../../accounts/user/last-administrator.server.ts'
import { findPerson } from '../../accounts/people/find-person.server.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { AppError, defineError, isAppError } from '../../../platform/errors.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'
import { deleteAccount } from './delete-account.server.ts'
import { collectData } from './export-my-data.server.ts'
import { subscriptionUnended } from '../../membership/account/end-membership.server.ts'

/* The members' own acts on their data, done by an administrator on request: the same use cases, for the member in
   place of the caller. */

const roleSources = features.flatMap(({ roles = [] }) => roles)

/**
 * Everything that the site keeps of a member, for them to take along.
 * @throws {AppError} `member.unknown`, 404
 */
export async function exportMember(
  app: SiteApp,
  viewer: Viewer,
  { id }: { id: string },
): Promise<Record<string, unknown>> {
  const by = requireMember(viewer).id
  const person = await findPerson(app, { id })
  const data = await forMember(collectData(app, await viewMember(app, person, roleSources)), person)
  await app.db.transaction().execute((trx) => recordMemberEvent(trx, 'account.exported', { of: person.id, by }))
  return data
}

/**
 * Deletes the account of a member on their request.
 * @param wanted.email the address of the account, so that nobody deletes another than they mean
 * @throws {AppError} `member.unknown`, 404; `account.other` and `safety.officer`, 403; `account.last_admin` and
 *   `account.last_safety_officer`, 409; `account.subscription`, 503, 409
 */
export async function eraseMember(app: SiteApp, viewer: Viewer, wanted: { id: string; email: string }): Promise<void> {
  const by = requireMember(viewer).id
  const person = await findPerson(app, wanted)
  if (foldEmail(wanted.email) !== foldEmail(person.email)) {
    throw otherMember()
  }
  const member = await viewMember(app, person, roleSources)
  await forMember(deleteAccount(app, member, { email: person.email, by }), person)
}

/** The errors of members' own calls speak to them: here an administrator reads them. */
async function forMember<T>(work: Promise<T>, { name }: { name: string }): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isAppError(error)) throw error
    if (error.code === invalidSession.code) throw unknownMember()
    if (error.code === lastAdministratorStays.code) throw lastAdministratorStays(`${name} is`, { cause: error })
    if (error.code === lastSafetyOfficerStays.code) throw lastSafetyOfficerStays(`${name} is`, { cause: error })
    if (error.code !== subscriptionUnended.code) throw error
    throw new AppError({
      code: error.code,
      status: error.status,
      message: error.message.replace(/^Your subscription/, "The member's subscription"),
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      cause: error,
    })
  }
}

const otherMember = defineError({
  code: 'account.other',
  status: 403,
  field: 'email',
  sentence: 'This is not the address of the member. Nothing was deleted.',
  remedy: 'Name the address of the member whose account it is.',
})
