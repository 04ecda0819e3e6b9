import { describe, expect, test } from 'vitest'
import { itemForAdmin as item } from '../../../../../tests/harness/item-for-admin.ts'
import {
  bodyOf,
  changedIn,
  type ConsentValues,
  differencesOf,
  emptyValues,
  type FormValues,
  isSame,
  mergedValues,
  missingFields,
  newConsent,
  typedSince,
  valuesOf,
} from './form-values.ts'
import { problemOf, restOfReasons } from './problems.ts'
import { readSavedForm } from './use-content-draft.ts'

const base = valuesOf(item)
const typed = (changes: Partial<FormValues>): FormValues => ({ ...base, ...changes })

test('a text that was typed while its form was being saved is known, and stays', () => {
  const sent = typed({ name: 'Walden, 1854' })
  expect(typedSince(sent, { ...sent, 'rights.holder': 'Nobody' }, sent)).toEqual({ 'rights.holder': 'Nobody' })
  expect(typedSince(sent, sent, sent)).toEqual({})
})

test('what was typed of a consent while it was being saved stays, under the id that it was given', () => {
  const [old, first, second] = ['Old', 'First', 'Second'].map((pseudonym) => ({ ...newConsent, pseudonym })) as [
    ConsentValues,
    ConsentValues,
    ConsentValues,
  ]
  const sent = typed({ consents: [{ ...old, id: 'o' }, first, second] })
  // The ids of a server whose clock runs behind come before those that were there.
  const saved = typed({
    consents: [
      { ...first, id: 'f' },
      { ...second, id: 's' },
      { ...old, id: 'o' },
    ],
  })
  const since = typed({
    consents: [{ ...old, id: 'o' }, first, { ...second, evidence: 'A letter' }, newConsent],
  })
  expect(typedSince(sent, since, saved)).toEqual({
    consents: [{ ...old, id: 'o' }, { ...first, id: 'f' }, { ...second, evidence: 'A letter', id: 's' }, newConsent],
  })
})

describe('the body of an edit', () => {
  test('holds what was changed and nothing else, so that an instant of the post date is not made a day', () => {
    expect(bodyOf(base, base)).toEqual({})
    expect(bodyOf(typed({ name: 'Walden, 1854', 'rights.holder': 'Nobody' }), base)).toEqual({
      name: 'Walden, 1854',
      rights: { holder: 'Nobody' },
    })
  })

  test('empties a field with null', () => {
    expect(bodyOf(typed({ 'rights.evidence': ' ', people: '' }), base)).toEqual({
      rights: { evidence: null },
      people: null,
    })
  })

  test('of another type takes the region along', () => {
    expect(bodyOf(typed({ contentType: 'asian' }), base)).toEqual({ contentType: 'asian', region: null })
    expect(bodyOf(typed({ contentType: 'banned', region: 'asian' }), base)).toEqual({
      contentType: 'banned',
      region: 'asian',
    })
  })

  test('holds all consents when one was changed', () => {
    const consents = [
      { ...newConsent, pseudonym: 'A' },
      { ...newConsent, pseudonym: 'B', validTo: '2030-01-01' },
    ]
    const { isWithdrawn: _flag, ...sent } = newConsent
    expect(bodyOf(typed({ consents }), base)).toEqual({
      consents: [
        { ...sent, pseudonym: 'A', validTo: null },
        { ...sent, pseudonym: 'B', validTo: '2030-01-01' },
      ],
    })
  })
})

test('a new item is sent whole, as its tab begins it', () => {
  const body = bodyOf({ ...emptyValues('banned'), name: 'Ulysses' }, undefined)
  expect(body).toMatchObject({ name: 'Ulysses', contentType: 'banned', category: 'Banned', link: null, consents: [] })
  expect(body['rights']).toMatchObject({ basis: null, permitsDownload: false })
})

test('name, link and category are needed', () => {
  expect(missingFields(emptyValues('western'))).toEqual(['name', 'link', 'category'])
  expect(missingFields(typed({ name: ' ' }))).toEqual(['name'])
})

describe('two versions', () => {
  const mine = typed({ name: 'Mine', 'rights.holder': 'Same' })
  const theirs = typed({ name: 'Theirs', 'rights.holder': 'Same', 'rights.licence': 'CC0-1.0' })
  const differences = differencesOf(mine, theirs, base)

  test('differ where they do; what only they have changed is theirs at first, what I have changed is mine', () => {
    expect(differences).toEqual([
      { name: 'name', usual: 'mine' },
      { name: 'rights.licence', usual: 'theirs' },
    ])
  })

  test('make one by the choices, and nothing that was typed is lost without one', () => {
    expect(mergedValues(mine, theirs, differences, {})).toEqual({ ...mine, 'rights.licence': 'CC0-1.0' })
    expect(mergedValues(mine, theirs, differences, { name: 'theirs', 'rights.licence': 'mine' })).toEqual({
      ...mine,
      name: 'Theirs',
    })
  })

  test('do not differ where both have typed the same', () => {
    expect(differencesOf(mine, mine, base)).toEqual([])
  })
})

test('consents are the same whatever the order of their members, and differ by each', () => {
  const consent = { ...newConsent, id: 'a', pseudonym: 'A' }
  const other = Object.fromEntries(Object.entries(consent).toReversed()) as unknown as typeof consent
  expect(isSame(typed({ consents: [consent] }), typed({ consents: [other] }))).toBe(true)
  expect(changedIn(typed({ consents: [consent] }), typed({ consents: [{ ...consent, isWithdrawn: true }] }))).toEqual([
    'consents',
  ])
})

test('a kept form is read back, and one of another shape is not', () => {
  const kept = { base, version: 3, values: typed({ name: 'Typed' }) }
  expect(readSavedForm(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  for (const content of [
    undefined,
    null,
    'text',
    {},
    { ...kept, version: '3' },
    { ...kept, values: { name: 'Typed' } },
  ]) {
    expect(readSavedForm(content)).toBeUndefined()
  }
})

test('every reason stands beside its field with its remedy, and those of no field together', () => {
  const reasons = [
    { code: 'a', field: 'rights.basis', sentence: 'No basis.', remedy: 'Record one.' },
    { code: 'b', field: 'rights.basis', sentence: 'No holder.', remedy: 'Name one.' },
    { code: 'c', field: 'status', sentence: 'It is held.', remedy: 'Wait.' },
  ]
  expect(problemOf(reasons, 'rights.basis')).toBe('No basis. Record one. No holder. Name one.')
  expect(problemOf(reasons, 'name')).toBeUndefined()
  expect(restOfReasons(reasons).map(({ code }) => code)).toEqual(['c'])
})

test('a withdrawal that was noted meanwhile is not mine to keep out, and no edit speaks of it', () => {
  const consent = { ...newConsent, id: 'a', pseudonym: 'The reader' }
  const mine = typed({ consents: [{ ...consent, evidence: 'A new form.' }] })
  const theirs = typed({ consents: [{ ...consent, isWithdrawn: true }] })
  const differences = differencesOf(mine, theirs, typed({ consents: [consent] }))
  const merged = mergedValues(mine, theirs, differences, { consents: 'mine' })
  expect(merged.consents).toEqual([{ ...consent, evidence: 'A new form.', isWithdrawn: true }])
  const { consents } = bodyOf(merged, theirs) as { consents: object[] }
  expect(consents[0]).not.toHaveProperty('isWithdrawn')
})

test('beside its field a sentence does not call it by the name of a program', () => {
  const reason = { code: 'field.invalid', field: 'rights.validTo', sentence: 'rights.validTo is "x".', remedy: '' }
  expect(problemOf([reason], 'rights.validTo')).toBe('It is "x".')
})
