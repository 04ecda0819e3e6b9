import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import type { Outcome } from '../../notice/notice-kinds.ts'
import { type NoticeState, transition } from '../../notice/transition.ts'
import type { NoticeEventInput } from '../../notice/notice-event.ts'

/** The acts that the transition of a notice would accept. */
export interface CaseOffers {
  /** Its entries are on the site because too many came at once. */
  hide: boolean
  review: boolean
  ask: boolean
  kind: boolean
  entries: boolean
  duplicate: boolean
  decide: boolean
  reverse: boolean
  answerAppeal: boolean
  close: boolean
}

export function offersOf(notice: NoticeForDesk): CaseOffers {
  const state = stateOf(notice)
  const takes = (event: NoticeEventInput): boolean => !transition(state, event).isRefused
  const outcome: Outcome = 'keep'
  return {
    hide: takes({ type: 'hidden', items: [] }),
    review: takes({ type: 'reviewed' }),
    ask: takes({ type: 'asked', missing: ['itemUrls'], message: '' }),
    kind: takes({ type: 'reclassified', kind: notice.kind === 'other' ? 'privacy' : 'other', missing: [] }),
    entries: takes({ type: 'entries-changed' }),
    duplicate: takes({ type: 'marked-duplicate', of: '' }),
    decide: takes({ type: 'decided', decisionId: '', outcome }),
    reverse: takes({ type: 'reversed', decisionId: '', outcome }),
    answerAppeal:
      notice.appeal?.mayAnswer === true && takes({ type: 'appeal-answered', appealId: '', decisionId: null, outcome }),
    close: takes({ type: 'closed' }),
  }
}

export interface CounterNoticeOffers {
  accept: boolean
  refuse: boolean
  recordAction: boolean
}

export function counterNoticeOffersOf(notice: NoticeForDesk, counterNoticeId: string): CounterNoticeOffers {
  const state = stateOf(notice)
  const takes = (event: NoticeEventInput): boolean => !transition(state, event).isRefused
  return {
    accept: takes({ type: 'counter-accepted', counterNoticeId, receivedAt: '' }),
    refuse: takes({ type: 'counter-refused', counterNoticeId, reasons: '' }),
    recordAction: takes({ type: 'action-notified', counterNoticeId, note: '' }),
  }
}

function stateOf({
  isWithheld,
  kind,
  status,
  elements,
  decisions,
  appeal,
  counterNotices,
  completedAt,
}: NoticeForDesk): NoticeState {
  return {
    kind,
    status,
    missing: elements.filter(({ isGiven }) => !isGiven).map(({ name }) => name),
    isWhole: completedAt !== null,
    outcome: decisions.at(-1)?.outcome ?? null,
    appeal: appeal?.state ?? 'none',
    counterNotices: Object.fromEntries(counterNotices.map(({ id, state }) => [id, state])),
    duplicateOf: null,
    // The hidden state allows every act alike; being withheld does not.
    holds: 'hides',
    isWithheld,
  }
}
