import { consumeAll, defineLimit, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import { addressBlockOf } from '../../../platform/client-address.ts'
import { defineError, isAppError } from '../../../platform/errors.ts'
import type { SiteLimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp } from '../app.ts'

/*
 * docs/spec/security.md#rate-limits. A member has a budget of their own, by their account: strangers can use up only what
 * strangers share.
 */
const inquiriesOfMember = defineLimit({ name: 'inquiry.member', points: 10, seconds: 3_600 })
const inquiriesForBlock = defineLimit({ name: 'inquiry.block', points: 10, seconds: 3_600 })
const inquiriesOfStrangers = defineLimit<SiteLimitRule>({
  name: 'inquiry.strangers',
  what: 'inquiries of visitors',
  points: 600,
  seconds: 3_600,
  inLine: { points: 1, seconds: 3 },
})

/**
 * Counted for an inquiry that keeps the rules.
 * @param address of the caller; it counts for those alone who have not signed in
 * @throws {AppError} `limit.exceeded`, 429; `inquiry.crowded`, 429, when strangers have used up what they share
 */
export async function limitInquiries(
  { limits, texts }: Pick<RequestsApp, 'limits' | 'texts'>,
  { member }: Viewer,
  address: string,
): Promise<void> {
  if (member !== undefined) {
    await limits.limit(inquiriesOfMember).consume(member.id)
    return
  }
  const refund = await consumeAll(limits, ipKeys(inquiriesForBlock, address))
  try {
    await limits.siteLimit(inquiriesOfStrangers).consume({ caller: addressBlockOf(address) })
  } catch (error) {
    await refund()
    if (!isAppError(error) || error.retryAfterSeconds === undefined) throw error
    throw tooManyInquiries(texts.inForce.contactEmail, { retryAfterSeconds: error.retryAfterSeconds, cause: error })
  }
}

export const tooManyInquiries = defineError({
  code: 'inquiry.crowded',
  status: 429,
  sentence: (contactEmail: string) =>
    `Too many visitors write to us at this moment. Sign in and send it again, or write to ${contactEmail}.`,
  remedy: 'Send it with the bearer of a member, who has a limit of their own, or wait as long as `Retry-After` says.',
  isCounted: true,
})
