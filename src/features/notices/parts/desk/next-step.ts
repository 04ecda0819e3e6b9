import type { NoticeForDesk, NoticeInQueue } from '../../desk/desk-schema.ts'
import { neededElements } from '../../notice/notice-elements.ts'
import type { CaseOffers } from './case-offers.ts'

/** The acts that can be the next one on a case; everything else waits in a menu. */
export type NextStep = 'hide' | 'attach' | 'ask' | 'review' | 'decide'

/** The act that a case waits for first; undefined where it waits for none of these. */
export function nextStepOf(
  notice: Pick<NoticeForDesk, 'isNothingFound' | 'elements' | 'events'>,
  offers: CaseOffers,
): NextStep | undefined {
  if (offers.hide) return 'hide'
  if (notice.isNothingFound && offers.entries) return 'attach'
  // A second question before an answer is rare.
  if (offers.ask && notice.elements.some(({ isGiven }) => !isGiven) && !isAsked(notice)) return 'ask'
  if (offers.review) return 'review'
  return offers.decide ? 'decide' : undefined
}

/** Whether the sender was asked and has not answered since. */
function isAsked({ events }: Pick<NoticeForDesk, 'events'>): boolean {
  const told = events.filter(({ type }) => type === 'asked' || type === 'answered' || type === 'completed')
  return told.at(-1)?.type === 'asked'
}

/** '9 of 10 missing', of what the law asks of this kind and what else the sender was asked for. */
export function missingOfAllInWords({ kind, missing }: Pick<NoticeInQueue, 'kind' | 'missing'>): string {
  const all = new Set<string>([...neededElements[kind], ...missing])
  return `${missing.length} of ${all.size} missing`
}
