import { consumeAll, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import type { NoticesApp } from '../app.ts'
import type { NoticeForm } from './notice-forms.ts'

const hour = 3_600

/* docs/spec/security.md#rate-limits. No limit is shared by all senders, so a flood from elsewhere never keeps a
   notice out. Each address has separate buckets. */
const noticesForBlock: LimitRule = { name: 'notice.block', points: 20, seconds: hour }
const graveNoticesForBlock: LimitRule = { name: 'notice.grave', points: 20, seconds: hour }
const followUpsForBlock: LimitRule = { name: 'notice.follow-up', points: 30, seconds: hour }
const counterNoticesForBlock: LimitRule = { name: 'notice.counter', points: 10, seconds: hour }
/** Anybody may type a stranger's address. */
const acknowledgementsForEmail: LimitRule = { name: 'notice.email', points: 10, seconds: hour }

/** All of these, as docs/operating.md lists them. */
export const noticeLimits: readonly LimitRule[] = [
  noticesForBlock,
  graveNoticesForBlock,
  followUpsForBlock,
  counterNoticesForBlock,
  acknowledgementsForEmail,
]

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
export async function limitFollowUps({ limits }: Limiting, address: string): Promise<void> {
  await consumeAll(limits, ipKeys(followUpsForBlock, address))
}

/** As `limitNotices`. */
export async function limitCounterNotices({ limits }: Limiting, address: string): Promise<void> {
  await consumeAll(limits, ipKeys(counterNoticesForBlock, address))
}

/** Takes one acknowledgement for this email address, if one is left; the notice is accepted either way. */
export async function mayAcknowledge({ limits }: Limiting, email: string): Promise<boolean> {
  return limits.limit(acknowledgementsForEmail).tryConsume(foldEmail(email))
}
