import { openStatuses } from '../notice/notice-kinds.ts'
import type { NoticeInQueue } from './desk-schema.ts'

/** The next step of a notice, on the button that opens its case: in the queue and on the home of the administration. */
export function nextStepInWords({
  status,
  isWithheld,
  waitsForSecond,
  hasAppeal,
  counterNotices,
  isNothingFound,
  missing,
  isAsked,
}: NoticeInQueue): string {
  if (isWithheld) return 'Hide the entries'
  // The same for the officer who was first: they wait for the other.
  if (waitsForSecond) return 'See the first act'
  if (hasAppeal) return 'Answer the appeal'
  if (counterNotices > 0) return 'Answer the counter-notice'
  if (!openStatuses.includes(status)) return 'Open'
  if (isNothingFound) return 'Attach an entry'
  if (missing.length > 0 && !isAsked) return 'Ask for information'
  return status === 'in-review' ? 'Decide' : 'Review'
}
