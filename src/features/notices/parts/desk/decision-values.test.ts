import { expect, test } from 'vitest'
import { maxDecisionText } from '../../desk/desk-schema.ts'
import {
  type DecisionKind,
  decisionRules,
  type DecisionValues,
  emptyDecision,
  readSavedDecision,
} from './decision-values.ts'

function problemsOf(values: DecisionValues, kind: DecisionKind): Record<string, string> {
  const { error } = decisionRules[kind].safeParse(values)
  return Object.fromEntries(error?.issues.toReversed().map(({ path, message }) => [String(path[0]), message]) ?? [])
}

const whole = {
  outcome: 'remove',
  ground: 'illegal',
  legalGround: '17 U.S.C. § 512(c)',
  facts: 'The translation is protected.',
  explanation: 'It is that translation.',
}

test('a decision without outcome, ground, law, facts or explanation names all of them', () => {
  expect(problemsOf(whole, 'decision')).toEqual({})
  expect(Object.keys(problemsOf(emptyDecision, 'decision')).toReversed()).toEqual([
    'outcome',
    'ground',
    'legalGround',
    'facts',
    'explanation',
  ])
  expect(problemsOf({ ...whole, facts: ' \n ' }, 'decision')).toEqual({ facts: 'Write down the facts.' })
  expect(problemsOf({ ...whole, ground: 'taste' }, 'decision')).toEqual({ ground: 'Choose the ground.' })
})

test('what one form decides is nothing for the other', () => {
  expect(problemsOf(whole, 'appeal')).toEqual({ outcome: 'Choose what is decided.' })
  expect(problemsOf({ ...whole, outcome: 'overturn' }, 'appeal')).toEqual({})
  expect(problemsOf({ ...whole, outcome: 'overturn' }, 'decision')).toHaveProperty('outcome')
})

test('characters are counted as people count them', () => {
  expect(problemsOf({ ...whole, facts: '𝒜'.repeat(maxDecisionText) }, 'decision')).toEqual({})
  expect(problemsOf({ ...whole, facts: 'a'.repeat(maxDecisionText + 1) }, 'decision')).toEqual({
    facts: 'Shorten this to 5,000 characters or fewer.',
  })
  expect(problemsOf({ ...whole, legalGround: 'a'.repeat(501) }, 'decision')).toEqual({
    legalGround: 'Shorten this to 500 characters or fewer.',
  })
})

test('what was kept is read as far as this version of the site would have kept it', () => {
  const seen = { version: 3, events: 4 }
  expect(readSavedDecision({ values: whole, seen })).toEqual({ values: whole, seen })
  expect(readSavedDecision(JSON.parse(JSON.stringify({ values: { ...whole, more: 1 }, seen })))).toEqual({
    values: whole,
    seen,
  })
  for (const content of [
    undefined,
    null,
    'text',
    {},
    { values: whole },
    { values: whole, seen: {} },
    { values: { outcome: 'remove' }, seen },
  ])
    expect(readSavedDecision(content)).toBeUndefined()
})
