import { expect, test } from 'vitest'
import { itemColumns } from '../item/item.ts'
import { checkColumns } from './check-columns.ts'

const check = (...columns: string[]) =>
  checkColumns(columns, {
    known: itemColumns,
    required: ['name', 'category', 'contentType', 'link'],
    passedOver: new Set(['line', 'reason']),
  })

test('a header of the format has no faults, in any order, also one of a rejects file', () => {
  expect(check('link', 'contentType', 'category', 'name', 'line', 'reason')).toEqual({
    unknown: [],
    missing: [],
    repeated: [],
  })
})

test.each([
  ['catgory', 'category'],
  ['nmae', 'name'],
  ['ilnk', 'link'],
  ['Content_Type', 'contentType'],
  ['title', 'name'],
  ['rights-holder', 'rightsHolder'],
  ['weather', null],
  ['x'.repeat(60), null],
])('a column %s is not known, and %s may be meant', (name, meant) => {
  expect(check(name).unknown).toEqual([{ name, meant }])
})

test('a column that the file has already is not suggested', () => {
  expect(check('name', 'title').unknown).toEqual([{ name: 'title', meant: null }])
})

test('for the first 20 unknown columns it is told which one is meant', () => {
  const { unknown } = check(...Array.from({ length: 25 }, (_, no) => `nam${no % 10}`))
  expect(unknown.map(({ meant }) => meant)).toEqual([
    ...Array.from({ length: 20 }, () => 'name'),
    ...Array.from({ length: 5 }, () => null),
  ])
})

test('what is missing and what stands twice is named', () => {
  expect(check('name', 'link', 'link')).toEqual({
    unknown: [],
    missing: ['category', 'contentType'],
    repeated: ['link'],
  })
})
