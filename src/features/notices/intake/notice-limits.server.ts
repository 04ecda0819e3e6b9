import { consumeAll, defineLimit, ipKeys, limitAddress } from '../../../platform/rate-limit/consume-all.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import type { NoticesApp } from '../app.ts'
import type { NoticeForm } from './notice-forms.ts'

const hour = 3_600

/* docs/spec/security.md#rate-limits. No limit is shared by all senders, so a flood from elsewhere never keeps a
   notice out. Each address has separate buckets. */
const noticesForBlock = defineLimit({ name: 'notice.block', points: 20, seconds: hour })
const graveNoticesForBlock = defineLimit({ name: 'notice.grave', points: 20, seconds: hour })
/** Anybody may type a stranger's address. */
const acknowledgementsForEmail = defineLimit({ name: 'notice.email', points: 10, seconds: hour })

type Limiting = Pick<NoticesApp, 'limits'>

/**
 * Counts a notice; a child at risk and an intimate image have a limit of their own.
 * @param address of the caller
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitNotices({ limits }: Limiting, form: NoticeForm, address: string): Promise<void> {
  const isGrave = form === 'child-safety' || form === 'intimate-image'
  await consumeAll(limits, ipKeys(isGrave ? graveNoticesForBlock : noticesForBlock, address))
}

/** The limits of the private page, as `limitNotices`. */
export const limitFollowUps = limitAddress({ name: 'notice.follow-up', points: 30, seconds: hour })

/** As `limitNotices`. */
export const limitCounterNotices = limitAddress({ name: 'notice.counter', points: 10, seconds: hour })

/** Takes one acknowledgement for this email address, if one is left; the notice is accepted either way. */
export async function mayAcknowledge({ limits }: Limiting, email: string): Promise<boolean> {
  return limits.limit(acknowledgementsForEmail).tryConsume(foldEmail(email))
}
