import { expect, test } from 'vitest'
import { problemOf } from './problems.ts'

const reason = { code: 'x', field: 'people', sentence: '', remedy: '' }

test('A reason names the choices as the form does, not as a file of an import', () => {
  const people = {
    ...reason,
    code: 'people.unknown',
    sentence: 'It is not stated whether people are shown.',
    remedy: 'State none, not_identifiable or identifiable.',
  }
  expect(problemOf([people], 'people')).toBe(
    "It is not stated whether people are shown. Choose 'Shows nobody', 'Shows people who cannot be identified' or 'Shows people who can be identified' under People.",
  )
  const holder = {
    ...reason,
    field: 'rights.holder',
    sentence: "The rights basis 'work_for_hire' names no holder.",
    remedy: 'Record who holds the rights.',
  }
  expect(problemOf([holder], 'rights.holder')).toBe(
    "The rights basis 'Work for hire' names no holder. Record who holds the rights.",
  )
  const paid = {
    ...reason,
    field: 'rights.permitsPaidAccess',
    sentence: "The rights do not permit paid access, which the content type 'vip-western' is.",
    remedy: 'Choose a free content type, or obtain that permission and record it.',
  }
  expect(problemOf([paid], 'rights.permitsPaidAccess')).toBe(
    "The rights do not permit paid access, which the type 'VIP Western' is. Choose a free type, or obtain that permission and record it.",
  )
})

test('Beside its field a reason does not repeat the name that programs use', () => {
  const link = { ...reason, field: 'linkG', sentence: 'linkG is not a web address.', remedy: 'Give the whole address.' }
  expect(problemOf([link], 'linkG')).toBe('It is not a web address. Give the whole address.')
  expect(problemOf([link], 'link')).toBeUndefined()
})
