import * as z from 'zod/mini'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { type NoticeForDesk, maxDecisionText } from '../../desk/desk-schema.ts'
import { grounds, outcomes } from '../../notice/notice-kinds.ts'
import type { Seen } from './case-calls.ts'

const Decision = z.object({
  outcome: z.string(),
  ground: z.string(),
  legalGround: z.string(),
  facts: z.string(),
  explanation: z.string(),
})
/** The values of a decision form, or of the answer to an appeal. Empty: not chosen, or not written. */
export type DecisionValues = z.infer<typeof Decision>

/** A provision is named, not quoted. */
const maxLegalGround = 500

export const emptyDecision: DecisionValues = { outcome: '', ground: '', legalGround: '', facts: '', explanation: '' }

export const appealOutcomes = ['uphold', 'overturn'] as const

export type DecisionKind = 'decision' | 'appeal'

/** The outcomes that each form offers. */
export const outcomesOf = { decision: outcomes, appeal: appealOutcomes } as const

const rulesOf = (choices: readonly string[]) =>
  z.object({
    outcome: oneOf(choices, 'Choose what is decided.'),
    ground: oneOf(grounds, 'Choose the ground.'),
    legalGround: writtenText('Name the law or the term.', maxLegalGround),
    facts: writtenText('Write down the facts.', maxDecisionText),
    explanation: writtenText('Write the explanation.', maxDecisionText),
  })

/** Everything that keeps a form from being sent, each for its field. */
export const decisionRules = { decision: rulesOf(outcomes), appeal: rulesOf(appealOutcomes) } as const

function oneOf(choices: readonly string[], otherwise: string) {
  return z.string().check(z.refine((value) => choices.includes(value), otherwise))
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
  const read = Decision.safeParse(values)
  return read.success ? { values: read.data, seen: { version, events } } : undefined
}

/** Under which name the form of a notice is kept. */
export function draftOf(kind: DecisionKind, { reference }: Pick<NoticeForDesk, 'reference'>): string {
  return `notice ${reference} ${kind}`
}
