import { describe, expect, test } from 'vitest'
import { grounds, noticeKinds } from '../notice/notice-kinds.ts'
import { categoryOf, type DecisionForStatement, statementFields, toEuStatement } from './eu-statement.ts'

const decision: DecisionForStatement = {
  id: '018bcfe5-0000-7000-8000-000000000001',
  outcome: 'remove',
  ground: 'illegal',
  legalGround: '17 U.S.C. 106',
  facts: 'The same text.',
  explanation: 'It is a copy.',
  decidedAt: new Date('2026-11-23T12:00:00Z'),
  appliesFrom: new Date('2026-11-23T12:00:00Z'),
  contentDate: new Date('2024-02-03T00:00:00Z'),
  category: 'STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS',
  sourceType: 'ARTICLE_16',
  automatedDecision: 'NOT_AUTOMATED',
}

describe('a decision in the fields of the European database', () => {
  test('on the ground of the law', () => {
    const statement = toEuStatement(decision)
    expect(statement).toMatchObject({
      puid: decision.id,
      decision_visibility: 'DECISION_VISIBILITY_CONTENT_REMOVED',
      decision_ground: 'DECISION_GROUND_ILLEGAL_CONTENT',
      illegal_content_legal_ground: '17 U.S.C. 106',
      illegal_content_explanation: 'It is a copy.',
      incompatible_content_ground: '',
      incompatible_content_explanation: '',
      category: 'STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS',
      content_type: 'CONTENT_TYPE_OTHER',
      content_date: '2024-02-03',
      application_date: '2026-11-23',
      decision_facts: 'The same text.',
      source_type: 'SOURCE_ARTICLE_16',
      automated_detection: 'No',
      automated_decision: 'AUTOMATED_DECISION_NOT_AUTOMATED',
    })
    expect(Object.keys(statement ?? {}).toSorted()).toEqual([...statementFields].toSorted())
    // The 27 countries of the Union, Iceland, Liechtenstein and Norway.
    expect(statement?.territorial_scope.split(',')).toHaveLength(30)
  })

  test('on that of the terms, made by the site', () => {
    const statement = toEuStatement({
      ...decision,
      outcome: 'restrict',
      ground: 'terms',
      contentDate: null,
      sourceType: 'OTHER_NOTIFICATION',
      automatedDecision: 'FULLY',
    })
    expect(statement).toMatchObject({
      decision_visibility: 'DECISION_VISIBILITY_CONTENT_DISABLED',
      decision_ground: 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
      illegal_content_legal_ground: '',
      incompatible_content_ground: '17 U.S.C. 106',
      incompatible_content_explanation: 'It is a copy.',
      incompatible_content_illegal: 'No',
      content_date: '',
      source_type: 'SOURCE_TYPE_OTHER_NOTIFICATION',
      automated_detection: 'No',
      automated_decision: 'AUTOMATED_DECISION_FULLY',
    })
  })

  test.each(grounds)(
    'with an explanation that is as long as the database takes, counted in characters (%s)',
    (ground) => {
      const explanationOf = (explanation: string) => {
        const statement = toEuStatement({ ...decision, ground, explanation })
        return ground === 'illegal'
          ? statement?.illegal_content_explanation
          : statement?.incompatible_content_explanation
      }
      const longest = '𝒜'.repeat(2_000)
      expect(explanationOf(longest)).toBe(longest)
      expect([...(explanationOf(`${longest}b`) ?? '')]).toEqual([...'𝒜'.repeat(1_999), '…'])
    },
  )

  test('to keep restricts nothing, and is none', () => {
    expect(toEuStatement({ ...decision, outcome: 'keep' })).toBeUndefined()
  })

  test('every kind has a category', () => {
    for (const kind of noticeKinds)
      for (const ground of grounds) expect(categoryOf(kind, ground)).toMatch(/^STATEMENT_CATEGORY_[A-Z_]+$/)
    expect(categoryOf('other', 'terms')).not.toBe(categoryOf('other', 'illegal'))
  })
})
