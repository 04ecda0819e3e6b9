import { counted } from '../../../platform/counted.ts'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import { type ClockName, kindLabels, type NoticeKind, type Outcome } from '../notice/notice-kinds.ts'
import type { NoticeEventInput, secondActs } from '../notice/notice-event.ts'

/** The event that each deadline waits for, as emails and the desk name it. Browser-safe. */
export const clockLabels: Record<ClockName, string> = {
  person: 'review by a safety officer',
  decide: 'a decision',
  hide: 'hiding the entry',
  triage: 'a first look',
  forward: 'an answer to the counter-notice',
  restore: 'putting back what was removed',
  appeal: 'an answer to the appeal',
}

const outcomeLabels: Record<Outcome, string> = { remove: 'to remove', restrict: 'to restrict', keep: 'to keep' }

/**
 * An event of a ledger as a sentence, such as 'Ada Admin began the review.'
 * @param by.name that of the administrator; null where they have no account any more
 */
export function eventInWords(
  event: NoticeEventInput,
  {
    by,
    kind,
    references,
    isShown = () => true,
  }: {
    by: { kind: 'sender' | 'system' } | { kind: 'administrator'; name: string | null }
    kind: NoticeKind
    /** The references of notices by their ids. */
    references: ReadonlyMap<string, string>
    /** Whether the reader may know that a notice was of a kind. */
    isShown?: (kind: NoticeKind) => boolean
  },
): string {
  const who =
    by.kind === 'administrator'
      ? (by.name ?? 'A former administrator')
      : { sender: 'The sender', system: 'The site' }[by.kind]
  const elements = (names: readonly string[]): string =>
    names.map((name) => (isElementName(name) ? elementLabel(kind, name).toLowerCase() : name)).join(', ')
  switch (event.type) {
    case 'received': {
      const missing = event.missing.length === 0 ? '' : ` Missing: ${elements(event.missing)}.`
      const kindWords = isShown(event.kind) ? ` as '${kindLabels[event.kind]}'` : ''
      return `The notice came in${kindWords}.${isShown(event.kind) ? missing : ''}${withheldInWords(event)}`
    }
    case 'answered':
      return `${who} added information. Still missing: ${event.missing.length === 0 ? 'nothing' : elements(event.missing)}.${withheldInWords(event)}`
    case 'completed':
      return `${who} added what was missing.${withheldInWords(event)}`
    case 'asked':
      return `${who} asked for: ${elements(event.missing)}.`
    case 'reviewed':
      return `${who} began the review.`
    case 'reclassified':
      return `${who} changed the kind to '${kindLabels[event.kind]}'.`
    case 'entries-changed':
      return event.added === undefined
        ? `${who} removed an address from the notice: ${event.removed ?? ''}`
        : `${who} added an address: ${event.added}${withheldInWords(event)}`
    case 'marked-duplicate':
      return `${who} marked it as a duplicate of ${references.get(event.of) ?? 'another notice'}.`
    case 'joined':
      return `${who} marked ${references.get(event.duplicate) ?? 'another notice'} as a duplicate of this one.${withheldInWords(event)}`
    case 'withdrawn':
      return `${who} withdrew the notice.`
    case 'decided':
      return `${who} decided ${outcomeLabels[event.outcome]}.`
    case 'reversed':
      return `${who} made a new decision, ${outcomeLabels[event.outcome]}, in place of the one before.`
    case 'appealed':
      return `${who} appealed.`
    case 'appeal-answered':
      return event.decisionId === null
        ? `${who} answered the appeal: the decision stays.`
        : `${who} answered the appeal with a new decision, ${outcomeLabels[event.outcome]}.`
    case 'counter-received':
      return 'A counter-notice came in.'
    case 'counter-accepted':
      return `${who} accepted a counter-notice, and it was forwarded to the sender.`
    case 'counter-refused':
      return `${who} refused a counter-notice: ${event.reasons}`
    case 'action-notified':
      return `${who} noted a court action: ${event.note}${event.stops === undefined || event.stops.length === 0 ? '' : ` It stops ${counted(event.stops.length, 'other counter-notice')} as well.`}`
    case 'restored':
      return 'The site made a new decision and ended the removal that a counter-notice answers: nobody told us about a court action in time.'
    case 'hidden':
      if (event.clock === undefined) return `${who} hid ${counted(event.items.length, 'entry', 'entries')}.`
      return event.items.length === 0
        ? `The deadline for hiding it had come.${withheldInWords(event)}`
        : `The site hid ${counted(event.items.length, 'entry', 'entries')}: its deadline had come.${withheldInWords(event)}`
    case 'overdue':
      return `The deadline for ${clockLabels[event.clock]} passed.`
    case 'second-wanted':
      return `${who} ${firstActInWords(event)}. A second safety officer has to do the same.`
    case 'closed':
      return `${who} closed the notice.`
  }
}

/** 'wants to keep the entries' */
export function firstActInWords({ act, of = '' }: { act: (typeof secondActs)[number]; of?: string }): string {
  switch (act) {
    case 'keep':
      return 'wants to keep the entries'
    case 'kind':
      return `wants to change the kind to '${(kindLabels as Partial<Record<string, string>>)[of] ?? of}'`
    case 'address':
      return `wants to take an address off: ${of}`
  }
}

function withheldInWords({ isWithheld }: { isWithheld?: boolean }): string {
  return isWithheld === true ? ' Too many came at once: its entries stay as they were.' : ''
}
