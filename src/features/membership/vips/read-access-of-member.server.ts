import { findMember } from '../access/find-member.server.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import { sentenceOf } from '../access/access-status.ts'
import type { MembershipApp } from '../app.ts'
import { dayInWords } from '../plans/format-day.ts'
import type { AccessOfMember } from './vip-schema.ts'

/**
 * Why a member is VIP, or is not.
 * @throws {AppError} `member.unknown`, 404
 */
export async function readAccessOfMember(
  app: Pick<MembershipApp, 'db' | 'clock' | 'config'>,
  { id }: { id: string },
): Promise<AccessOfMember> {
  const { id: userId, isDisabled } = await findMember(app, { id })
  const status = await readAccessStatus(app, { userId, isDisabled })
  return {
    isVip: status.isVip,
    isDisabled,
    sentence: sentenceOf(status, (instant) => dayInWords(instant, app.config.timeZone)),
    endsAt: status.endsAt === null ? null : new Date(status.endsAt).toISOString(),
  }
}
