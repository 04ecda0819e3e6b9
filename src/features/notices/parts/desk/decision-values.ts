import { type NoticeForDesk, maxDecisionText } from '../../desk/desk-schema.ts'
import { grounds, outcomes } from '../../notice/notice-kinds.ts'
import type { Seen } from './case-calls.ts'

/** The values of a decision form, or of the answer to an appeal. Empty: not chosen, or not written. */
export interface DecisionValues {
  outcome: string
  ground: string
  legalGround: string
  facts: string
  explanation: string
}

/** A provision is named, not quoted. */
const maxLegalGround = 500

export type DecisionField = keyof DecisionValues

/** In the order of the form. */
export const decisionFields = ['outcome', 'ground', 'legalGround', 'facts', 'explanation'] as const

export const emptyDecision: DecisionValues = { outcome: '', ground: '', legalGround: '', facts: '', explanation: '' }

/** The answers to an appeal. */
export const appealOutcomes = ['uphold', 'overturn'] as const

export type DecisionKind = 'decision' | 'appeal'

/** The outcomes that each form offers. */
export const outcomesOf = { decision: outcomes, appeal: appealOutcomes } as const

export function isEmptyDecision(values: DecisionValues): boolean {
  return decisionFields.every((field) => values[field].trim() === '')
}

export type DecisionProblems = Partial<Record<DecisionField, string>>

const needed: Record<DecisionField, string> = {
  outcome: 'Choose what is decided.',
  ground: 'Choose the ground.',
  legalGround: 'Name the law or the term.',
  facts: 'Write down the facts.',
  explanation: 'Write the explanation.',
}

/** Everything that keeps it from being sent, each for its field. */
export function problemsOf(values: DecisionValues, kind: DecisionKind): DecisionProblems {
  const problems: DecisionProblems = {}
  for (const field of decisionFields) {
    const value = values[field].trim()
    if (value === '') problems[field] = needed[field]
    else {
      const max = field === 'legalGround' ? maxLegalGround : maxDecisionText
      if ([...value].length > max)
        problems[field] = `Shorten this to ${max.toLocaleString('en-US')} characters or fewer.`
    }
  }
  if (!outcomesOf[kind].some((one) => one === values.outcome)) problems.outcome = needed.outcome
  if (!grounds.some((one) => one === values.ground)) problems.ground = needed.ground
  return problems
}

/** The unsent text, and the state of the notice at its beginning. */
export interface SavedDecision {
  values: DecisionValues
  seen: Seen
}

/** Undefined if another version of the site saved it. */
export function readSavedDecision(content: unknown): SavedDecision | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { values, seen } = content as { values?: Record<string, unknown>; seen?: Record<string, unknown> }
  if (typeof values !== 'object' || values === null || typeof seen !== 'object' || seen === null) return undefined
  const { version, events } = seen
  if (typeof version !== 'number' || typeof events !== 'number') return undefined
  const read: DecisionValues = { ...emptyDecision }
  for (const field of decisionFields) {
    const value = values[field]
    if (typeof value !== 'string') return undefined
    read[field] = value
  }
  return { values: read, seen: { version, events } }
}

/** Under which name the form of a notice is kept. */
export function draftOf(kind: DecisionKind, { reference }: Pick<NoticeForDesk, 'reference'>): string {
  return `notice ${reference} ${kind}`
}
