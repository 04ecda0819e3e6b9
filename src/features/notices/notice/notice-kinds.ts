import { copyrightReason } from '../../catalogue/item/tombstone.ts'

/** The kinds of notices and what each stands for (docs/spec/notices.md#forms). Browser-safe. */

/** In the order of their gravity, the gravest first. */
export const noticeKinds = ['child-safety', 'intimate-image', 'consent', 'copyright', 'privacy', 'other'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** 1 is the gravest. */
export function gravityOf(kind: NoticeKind): number {
  return noticeKinds.indexOf(kind) + 1
}

/** The desk is notified of these at once, and their entries are hidden on receipt, or when the notice is whole. */
export const graveKinds = ['child-safety', 'intimate-image'] as const satisfies readonly NoticeKind[]

export function isGrave(kind: NoticeKind): kind is (typeof graveKinds)[number] {
  return graveKinds.some((one) => one === kind)
}

export const kindLabels: Record<NoticeKind, string> = {
  'child-safety': 'Child at risk',
  'intimate-image': 'Intimate image',
  consent: 'Consent withdrawn',
  copyright: copyrightReason,
  privacy: 'Personal data',
  other: 'Something else illegal',
}

export const noticeStatuses = [
  'received',
  'needs-info',
  'in-review',
  'decided',
  'closed',
  'withdrawn',
  'duplicate',
] as const
export type NoticeStatus = (typeof noticeStatuses)[number]

export const statusLabels: Record<NoticeStatus, string> = {
  received: 'Received',
  'needs-info': 'Information missing',
  'in-review': 'In review',
  decided: 'Decided',
  closed: 'Closed',
  withdrawn: 'Withdrawn',
  duplicate: 'Duplicate',
}

/** Those that wait for a decision. */
export const openStatuses: readonly NoticeStatus[] = ['received', 'needs-info', 'in-review']

/** Whether such a notice hides nothing although it should: it is open, of the two gravest kinds, and has found no entry. */
export function isNothingFound({ kind, status }: { kind: NoticeKind; status: NoticeStatus }, found: number): boolean {
  return isGrave(kind) && openStatuses.includes(status) && found === 0
}

export const outcomes = ['remove', 'restrict', 'keep'] as const
export type Outcome = (typeof outcomes)[number]

export const grounds = ['illegal', 'terms'] as const
export type Ground = (typeof grounds)[number]

/** The clocks of docs/spec/notices.md#deadlines. */
export const clockNames = ['person', 'decide', 'hide', 'triage', 'forward', 'restore', 'appeal'] as const
export type ClockName = (typeof clockNames)[number]

export function kindChangedInWords(sentAs: NoticeKind, kind: NoticeKind): string {
  return sentAs === kind
    ? `We handle it as '${kindLabels[kind]}' again, as you sent it, with the rules and the deadlines of that kind.`
    : `You sent it as '${kindLabels[sentAs]}'. We handle it as '${kindLabels[kind]}': the rules and the deadlines of that kind hold for it now.`
}
