import { expect, test } from 'vitest'
import type { BulkEditForAdmin } from '../bulk-schema.ts'
import {
  countsInSentences,
  fieldWordsOf,
  outcomesShown,
  reasonInWords,
  valuesInWords,
  whichInWords,
} from './bulk-words.ts'

const words = fieldWordsOf(['Mega', 'Gofile', 'Pixeldrain'])
const none = { planned: 0, excluded: 0, refused: 0, changed: 0, skipped: 0, undone: 0, left: 0 }
const edit = (state: BulkEditForAdmin['state'], selected: number, unchanged: number, counts: Partial<typeof none>) =>
  ({ state, filter: {}, selected, unchanged, counts: { ...none, ...counts } }) as unknown as BulkEditForAdmin

test('a preview is counted in sentences', () => {
  expect(countsInSentences(edit('ready', 0, 0, {}))).toEqual(['No entries match.'])
  expect(countsInSentences(edit('ready', 1_203, 1, { planned: 1_200, refused: 2 }))).toEqual([
    '1,203 entries found. 1,200 would change.',
    '1 entry already matches.',
    '2 entries cannot be changed this way.',
  ])
  expect(countsInSentences(edit('ready', 1, 0, { planned: 1 }))).toEqual(['1 entry found. 1 would change.'])
  expect(countsInSentences(edit('ready', 164, 160, { planned: 3, excluded: 1 }))).toEqual([
    '164 entries found. 3 would change.',
    '1 entry switched off.',
    '160 entries already match.',
  ])
  expect(countsInSentences({ ...edit('ready', 3, 0, { planned: 3 }), filter: { chosen: 5 } })).toEqual([
    '3 entries found. 3 would change.',
    '2 entries deleted or removed since you selected them.',
  ])
})

test('so is what became of it', () => {
  expect(countsInSentences(edit('done', 4, 0, { changed: 2, skipped: 1, refused: 1 }))).toEqual([
    '2 entries changed.',
    '1 entry skipped, for the reason below.',
    '1 entry refused.',
  ])
  expect(countsInSentences(edit('undone', 4, 0, { undone: 3, left: 1 }))).toEqual([
    '4 entries changed.',
    '3 entries undone.',
    '1 entry not undone, for the reason below.',
  ])
})

test('the entries of an edit are told by how they were found', () => {
  expect(whichInWords({}, words)).toBe('All entries')
  expect(whichInWords({ chosen: 1 }, words)).toBe('1 selected entry')
  expect(whichInWords({ chosen: 1_000 }, words)).toBe('1,000 selected entries')
  expect(whichInWords({ section: 'vip', search: 'moby' }, words)).toBe('Entries with Section: VIP, Search: moby')
})

test('what needs a look is shown first', () => {
  expect(outcomesShown(edit('ready', 3, 0, { excluded: 3 }))).toEqual(['planned'])
  expect(outcomesShown(edit('done', 3, 0, { changed: 2, excluded: 1 }))).toEqual(['changed', 'excluded'])
  expect(outcomesShown(edit('ready', 3, 0, { planned: 2, refused: 1 }))).toEqual(['planned', 'refused'])
  expect(outcomesShown(edit('undone', 3, 0, { undone: 2, left: 1 }))).toEqual(['left', 'undone'])
})

test('a filter and changes read as a list', () => {
  const changes = { category: 'Film', shiftDays: -3, permitsDownload: true, rightsBasis: 'open_license' }
  expect(valuesInWords(changes, words)).toBe(
    'Category: Film, Post date moves by days: -3, Permits downloads: yes, Rights basis: Open licence',
  )
})

test('a replaced host reads without the name of its action', () => {
  const changes = { action: 'replace-host', host: 'old.example', newHost: 'new.example' }
  expect(valuesInWords(changes, words)).toBe('Replace host: old.example, New host: new.example')
})

test('a reason names its field as the page does, and a link after its host', () => {
  expect(reasonInWords('rightsHolder is too long.', words)).toBe('Rights holder is too long.')
  expect(reasonInWords('linkMV1Format is too long.', words)).toBe('Mega alternate: Format is too long.')
  expect(reasonInWords('It was changed since.', words)).toBe('It was changed since.')
})
