import { expect, test } from 'vitest'
import type { ImportForAdmin } from '../import-schema.ts'
import {
  columnsInWords,
  faultsInWords,
  importLabel,
  linesInWords,
  missingInWords,
  progressInWords,
  stateInWords,
  stoppedInWords,
  tallyInWords,
} from './import-words.ts'
import { sizeInWords } from '../../../../ui/size-in-words.ts'

const tally = { created: 1_200, updated: 1, unchanged: 0, rejected: 2, published: 0, held: 0 }
const imported = { tally, state: 'done', wasChecked: false } as ImportForAdmin

test('a result is counted in words, and a check says what would be', () => {
  expect(tallyInWords(imported)).toEqual(['1,203 rows: 1,200 new, 1 changed, 0 unchanged, 2 rejected.'])
  expect(
    tallyInWords({ ...imported, tally: { ...tally, published: 3, held: 1 }, state: 'waiting', wasChecked: true }),
  ).toEqual([
    '1,203 rows: 1,200 would be new, 1 would be changed, 0 unchanged, 2 rejected.',
    '3 would be published; 1 may not be published, for the reasons below.',
  ])
  expect(tallyInWords({ ...imported, tally: { ...tally, published: 1, held: 1 } })[1]).toBe(
    '1 now published; 1 stayed a draft, for the reasons below.',
  )
  expect(tallyInWords({ ...imported, tally: { ...tally, held: 1_200 } })[1]).toBe(
    '0 now published; 1,200 stayed drafts, for the reasons below.',
  )
  expect(tallyInWords({ ...imported, tally: null })).toEqual([])
})

test('an import that was thrown away is not called one that was stopped', () => {
  const ended = { ...imported, state: 'cancelled' } as const
  expect([stateInWords(ended), stoppedInWords(ended)]).toEqual(['Stopped', expect.stringContaining('so far stay')])
  for (const one of [{ wasChecked: true }, { tally: null }].map((change) => ({ ...ended, ...change })))
    expect([stateInWords(one), stoppedInWords(one)]).toEqual(['Discarded', 'Nothing was imported.'])
})

test('the button says how many of the rows come in, where some would be rejected', () => {
  expect(importLabel({ tally: { ...tally, created: 1_911, updated: 0, rejected: 5_749 } })).toBe(
    'Import 1,911 of 7,660',
  )
  expect(importLabel({ tally: { ...tally, rejected: 0 } })).toBe('Import')
  expect(importLabel({ tally: null })).toBe('Import')
})

test('sizes and progress read well', () => {
  expect([12, 34_567, 2_449_000].map(sizeInWords)).toEqual(['12 bytes', '35 kB', '2.4 MB'])
  expect(progressInWords({ rowsDone: 1 }, 0.999)).toBe('1 row, 99 %')
})

test('the rows of a problem, and what missing categories cost, read well', () => {
  expect([
    linesInWords({ lines: [4], rows: 1 }),
    linesInWords({ lines: [4, 5], rows: 2 }),
    linesInWords({ lines: [4, 5, 1_006], rows: 3 }),
    linesInWords({ lines: [4, 5, 6, 7, 8], rows: 5_749 }),
  ]).toEqual(['Line 4', 'Lines 4 and 5', 'Lines 4, 5 and 1,006', 'Lines 4, 5, 6, 7, 8 …'])
  expect([missingInWords([{ rows: 1 }]), missingInWords([{ rows: 2 }, { rows: 5_747 }])]).toEqual([
    '1 row is rejected for a category that the site does not have.',
    '5,749 rows are rejected for 2 categories that the site does not have.',
  ])
})

test('columns are told, good and bad', () => {
  const columns = { columns: ['link', 'name'], columnsLeftOut: ['people'], isInOrder: false, format: 'csv' } as const
  expect(columnsInWords({ ...imported, ...columns, columns: [...columns.columns], columnsLeftOut: ['people'] })).toBe(
    '2 columns, all of them known, in a different order.',
  )
  expect(
    faultsInWords({
      unknown: [
        { name: 'title', meant: 'name' },
        { name: 'weather', meant: null },
      ],
      missing: ['link'],
      repeated: ['people'],
    }),
  ).toEqual([
    "The column 'title' is not known. Did you mean 'name'?",
    "The column 'weather' is not known. Remove it, or rename it to a known column.",
    "The column 'link' is missing.",
    "The column 'people' appears twice.",
  ])
})
