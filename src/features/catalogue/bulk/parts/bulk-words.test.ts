import { expect, test } from 'vitest'
import type { BulkEditForAdmin } from '../bulk-schema.ts'
import { countsInSentences, fieldWordsOf, outcomesShown, reasonInWords, valuesInWords } from './bulk-words.ts'

const words = fieldWordsOf(['Mega', 'Gofile', 'Pixeldrain'])
const none = { planned: 0, refused: 0, changed: 0, skipped: 0, undone: 0, left: 0 }
const edit = (state: BulkEditForAdmin['state'], selected: number, unchanged: number, counts: Partial<typeof none>) =>
  ({ state, selected, unchanged, counts: { ...none, ...counts } }) as BulkEditForAdmin

test('a preview is counted in sentences', () => {
  expect(countsInSentences(edit('ready', 0, 0, {}))).toEqual(['No entry fits the filter.'])
  expect(countsInSentences(edit('ready', 1_203, 1, { planned: 1_200, refused: 2 }))).toEqual([
    '1,203 entries found. 1,200 would change.',
    '1 entry is so already.',
    '2 entries may not be changed in this way.',
  ])
  expect(countsInSentences(edit('ready', 1, 0, { planned: 1 }))).toEqual(['1 entry found. 1 would change.'])
})

test('so is what became of it', () => {
  expect(countsInSentences(edit('done', 4, 0, { changed: 2, skipped: 1, refused: 1 }))).toEqual([
    '2 entries changed.',
    '1 entry left out, for the reason below.',
    '1 entry refused.',
  ])
  expect(countsInSentences(edit('undone', 4, 0, { undone: 3, left: 1 }))).toEqual([
    '4 entries changed.',
    '3 entries undone.',
    '1 entry not undone, for the reason below.',
  ])
})

test('what needs a look is shown first', () => {
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
