import type { Ground, NoticeKind, Outcome } from '../notice/notice-kinds.ts'

/**
 * Decisions in the fields of the European Union's database of statements of reasons (Regulation (EU) 2022/2065, articles 17 and
 * 24(5)), as its interface names them. Pure.
 */

const categories: Record<Exclude<NoticeKind, 'other'>, string> = {
  'child-safety': 'STATEMENT_CATEGORY_PROTECTION_OF_MINORS',
  'intimate-image': 'STATEMENT_CATEGORY_CYBER_VIOLENCE',
  consent: 'STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS',
  copyright: 'STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS',
  privacy: 'STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS',
}

export function categoryOf(kind: NoticeKind, ground: Ground): string {
  if (kind !== 'other') return categories[kind]
  return ground === 'terms' ? 'STATEMENT_CATEGORY_OTHER_VIOLATION_TC' : 'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE'
}

export interface DecisionForStatement {
  id: string
  outcome: Outcome
  ground: Ground
  legalGround: string
  facts: string
  explanation: string
  decidedAt: Date
  appliesFrom: Date
  /** When the first of the entries that were reported was posted; null where none was found. */
  contentDate: Date | null
  category: string
  sourceType: 'ARTICLE_16' | 'OTHER_NOTIFICATION' | 'VOLUNTARY'
  automatedDecision: 'NOT_AUTOMATED' | 'PARTIALLY' | 'FULLY'
}

const sources = {
  ARTICLE_16: 'SOURCE_ARTICLE_16',
  OTHER_NOTIFICATION: 'SOURCE_TYPE_OTHER_NOTIFICATION',
  VOLUNTARY: 'SOURCE_VOLUNTARY',
} as const

/** The European Economic Area: a decision holds wherever the site is read. */
const europeanEconomicArea = 'AT,BE,BG,CY,CZ,DE,DK,EE,ES,FI,FR,GR,HR,HU,IE,IS,IT,LI,LT,LU,LV,MT,NL,NO,PL,PT,RO,SE,SI,SK'

/** The database refuses a longer explanation; its other texts may be as long as ours. In characters. */
const longestExplanation = 2_000

export const statementFields = [
  'puid',
  'decision_visibility',
  'decision_ground',
  'illegal_content_legal_ground',
  'illegal_content_explanation',
  'incompatible_content_ground',
  'incompatible_content_explanation',
  'incompatible_content_illegal',
  'category',
  'content_type',
  'content_type_other',
  'content_date',
  'application_date',
  'decision_facts',
  'source_type',
  'automated_detection',
  'automated_decision',
  'territorial_scope',
] as const
export type EuStatement = Record<(typeof statementFields)[number], string>

/**
 * A decision as a statement. Several values of a field are separated by commas, days are written `YYYY-MM-DD`. An explanation that is too
 * long for the database is cut, and ends with '…'.
 * @returns undefined for a decision to keep: it restricts nothing
 */
export function toEuStatement(decision: DecisionForStatement): EuStatement | undefined {
  const { outcome, ground, legalGround } = decision
  if (outcome === 'keep') return undefined
  const isIllegal = ground === 'illegal'
  const explanation = cut(decision.explanation, longestExplanation)
  return {
    puid: decision.id,
    decision_visibility:
      outcome === 'remove' ? 'DECISION_VISIBILITY_CONTENT_REMOVED' : 'DECISION_VISIBILITY_CONTENT_DISABLED',
    decision_ground: isIllegal ? 'DECISION_GROUND_ILLEGAL_CONTENT' : 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
    illegal_content_legal_ground: isIllegal ? legalGround : '',
    illegal_content_explanation: isIllegal ? explanation : '',
    incompatible_content_ground: isIllegal ? '' : legalGround,
    incompatible_content_explanation: isIllegal ? '' : explanation,
    incompatible_content_illegal: isIllegal ? '' : 'No',
    category: decision.category,
    content_type: 'CONTENT_TYPE_OTHER',
    content_type_other: 'A catalogue entry with links to files',
    content_date: decision.contentDate === null ? '' : dayOf(decision.contentDate),
    application_date: dayOf(decision.appliesFrom),
    decision_facts: decision.facts,
    source_type: sources[decision.sourceType],
    // A notice comes from a person.
    automated_detection: 'No',
    automated_decision: `AUTOMATED_DECISION_${decision.automatedDecision}`,
    territorial_scope: europeanEconomicArea,
  }
}

function cut(text: string, longest: number): string {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
