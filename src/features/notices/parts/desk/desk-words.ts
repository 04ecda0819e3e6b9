import { counted } from '../../../../platform/counted.ts'
import type { Assignee, Decision, NoticeForDesk, QueueState } from '../../desk/desk-schema.ts'
import { type ElementName, isElementName } from '../../notice/notice-elements.ts'
import { type Ground, type NoticeKind, type NoticeStatus, type Outcome, outcomes } from '../../notice/notice-kinds.ts'
import type { appealOutcomes, DecisionKind, DecisionValues } from './decision-values.ts'
import type { WantedNotices } from './notice-paths.ts'

type AnyOutcome = Outcome | (typeof appealOutcomes)[number]

export const stateLabels: Record<QueueState, string> = {
  open: 'Waiting',
  incomplete: 'Incomplete',
  decided: 'Decided',
  closed: 'Closed',
}

/** The elements of the forms, as administrators read them: the forms say 'Your name'. */
const elementLabels: Record<ElementName, string> = {
  name: 'Name',
  organization: 'Organization',
  address: 'Postal address',
  phone: 'Telephone number',
  email: 'Email address',
  itemUrls: 'Addresses of the entries',
  workDescription: 'The work',
  explanation: 'What is wrong',
  lawCited: 'The law',
  goodFaith: 'Statement of good faith',
  accuracy: 'Statement that it is accurate',
  perjury: 'Statement under penalty of perjury',
  signature: 'Signature',
}

/** An element of a notice of this kind; one that this page does not know is called what the server calls it. */
export function elementInWords(kind: NoticeKind, name: string, label = name): string {
  if (kind === 'copyright' && name === 'email') return 'Email address, telephone number or postal address'
  if (kind === 'intimate-image' && name === 'email') return 'Email address or telephone number'
  return isElementName(name) ? elementLabels[name] : label
}

/** 'Missing: signature, postal address' */
export function missingInWords(kind: NoticeKind, missing: readonly string[]): string {
  return `Missing: ${missing.map((name) => elementInWords(kind, name).toLowerCase()).join(', ')}`
}

/** 'Letters, volume one', 'Letters, volume one and 3 more addresses', '2 addresses, no entry found' */
export function reportedInWords(name: string | undefined, addresses: number): string {
  if (name === undefined) return `${counted(addresses, 'address', 'addresses')}, no entry found`
  return addresses <= 1 ? name : `${name} and ${counted(addresses - 1, 'more address', 'more addresses')}`
}

export const outcomeLabels: Record<AnyOutcome, string> = {
  remove: 'Remove',
  restrict: 'Restrict',
  keep: 'Keep',
  uphold: 'Uphold the decision',
  overturn: 'Overturn the decision',
}

/** @param inForce the outcome of the decision that an appeal is against */
export function outcomeInWords(outcome: AnyOutcome, inForce: Outcome | undefined): string {
  switch (outcome) {
    case 'remove':
      return 'The entries disappear from the site within a minute. Their links stay blocked, in every form, until another decision reverses this.'
    case 'restrict':
      return 'The entries are taken off the site and held until another decision. Their links are not blocked.'
    case 'keep':
      return 'The entries stay. Entries hidden only because of this notice are published again if they pass the publication checks.'
    case 'uphold':
      return 'Nothing changes on the site. The people concerned are told why.'
    case 'overturn':
      return inForce === 'keep'
        ? 'A new decision replaces it: the entries are removed, and their links cannot be put back.'
        : 'A new decision replaces it: the entries are published again if they pass the publication checks.'
  }
}

/** The finding about the entries; of entries that stay, that they keep to the same rules. */
export function groundLabel(ground: Ground, outcome: string): string {
  if (outcome === 'keep') return ground === 'illegal' ? 'Lawful' : "Within the site's terms"
  return ground === 'illegal' ? 'Illegal' : "Against the site's terms"
}

/** The answer of the pages of removed entries; nothing of entries that stay. */
export function groundSentence(ground: Ground, kind: NoticeKind, outcome: string): string {
  if (outcome === 'keep')
    return ground === 'illegal' ? 'None of the laws named forbids the entries.' : 'The entries keep to the terms.'
  if (kind === 'child-safety') return 'Visitors to their pages see that there is no such page (404).'
  return ground === 'illegal'
    ? 'Visitors see that a removed entry is gone because of a legal demand (451).'
    : 'Visitors see that a removed entry broke the terms of this site (410).'
}

/** A decision, as a heading names it: 'Removed, because it is illegal' */
export function decisionInWords({ outcome, ground }: Pick<Decision, 'outcome' | 'ground'>): string {
  if (outcome === 'keep') return 'Kept'
  const because = ground === 'illegal' ? 'because it is illegal' : "because it is against the site's terms"
  return `${outcome === 'remove' ? 'Removed' : 'Restricted'}, ${because}`
}

/** The words of the button that sends it, and of the question before it goes. */
export function sendInWords(
  kind: DecisionKind,
  { outcome }: Pick<DecisionValues, 'outcome'>,
  { decisions, addresses }: Pick<NoticeForDesk, 'decisions' | 'addresses'>,
): { label: string; title: string; sentence: string } {
  const forever = 'You cannot edit it afterwards, but a new decision can replace it.'
  if (kind === 'appeal') {
    const isOverturn = outcome === 'overturn'
    return {
      label: 'Send the answer',
      title: isOverturn ? 'Overturn the decision?' : 'Uphold the decision?',
      sentence: `${isOverturn ? outcomeInWords('overturn', decisions.at(-1)?.outcome) : outcomeInWords('uphold', undefined)} ${forever}`,
    }
  }
  const entries = new Set(addresses.flatMap(({ asItIs }) => (asItIs === null ? [] : [asItIs.id]))).size
  const verb = outcome === 'remove' ? 'Remove' : outcome === 'restrict' ? 'Restrict' : 'Keep'
  const label = entries === 0 ? 'Send the decision' : `${verb} ${counted(entries, 'entry', 'entries')}`
  const reversal = decisions.length === 0 ? '' : 'This replaces the decision in force. '
  return { label, title: `${label}?`, sentence: `${reversal}The emails go out as shown in the preview. ${forever}` }
}

export const effectLabels: Record<Decision['items'][number]['effect'], string> = {
  removed: 'Removed',
  restricted: 'Restricted',
  published: 'Published again',
  draft: 'A draft',
  unchanged: 'Unchanged',
}

export function becomesInWords(becomes: string): string {
  return (effectLabels as Readonly<Record<string, string>>)[becomes] ?? becomes
}

/** Whether something narrows the list besides its state. */
export function isFiltered({ kind, search, network, assigned }: WantedNotices): boolean {
  return kind !== '' || search !== '' || network !== '' || assigned !== 'all'
}

export function emptyInWords(wanted: WantedNotices): string {
  const { state } = wanted
  if (isFiltered(wanted)) return 'No notice matches these filters.'
  if (state === 'open') return 'No notice is waiting. New ones appear here as soon as they arrive.'
  if (state === 'incomplete') return 'No incomplete notice is waiting.'
  return state === 'decided' ? 'No notice has been decided yet.' : 'No notice has been closed yet.'
}

/** For a notice that exceeded the bound. */
export const withheldLabel = 'Not hidden: too many at once'

/** For the first of two safety officers. */
export const waitsSentence =
  'Nothing has changed yet: a second safety officer has to do the same. They are told by email.'

/** The results of an act on several notices, in the order of the call; the reason is why one was left as it was. */
export interface DoneToMany {
  verb: 'decided' | 'assigned'
  results: readonly { reference: string; reason: string | null }[]
}

/** '3 notices were decided, 1 was not.' */
export function doneInWords({ verb, results }: DoneToMany): string {
  const done = results.filter(({ reason }) => reason === null).length
  const left = results.length - done
  const rest = left === 0 ? '.' : `, ${left.toLocaleString('en-US')} ${left === 1 ? 'was' : 'were'} not.`
  return `${counted(done, 'notice')} ${done === 1 ? 'was' : 'were'} ${verb}${rest}`
}

/** 'Ada Admin', 'Ada Admin (you)' */
export function assigneeInWords({ name, isSelf }: Assignee): string {
  return isSelf ? `${name} (you)` : name
}

/** The words of the button that decides about several notices at once. */
export function decideManyInWords(outcome: string, notices: number): string {
  const verb = outcomes.find((one) => one === outcome)
  return verb === undefined
    ? `Decide ${counted(notices, 'notice')}`
    : `${outcomeLabels[verb]} the entries of ${counted(notices, 'notice')}`
}

/** The reason why a closed notice allows no act; undefined while it allows one. */
export function overInWords(status: NoticeStatus): string | undefined {
  if (status === 'withdrawn') return 'The sender has withdrawn this notice.'
  if (status === 'duplicate') return 'This notice is a duplicate. It is decided together with the other one.'
  return status === 'closed' ? 'This notice is closed.' : undefined
}
