import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { csvLines, readCell } from './csv.ts'

/** Numbers that look random and are the same in every run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pieces = [
  "'",
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '＝',
  '＠',
  '"',
  ',',
  ' ',
  'a',
  '1+1',
  '二',
  '\u{1F4DA}',
  '\uFEFF',
]

describe('cells', () => {
  test('are read back as they were written, whatever they hold', () => {
    const below = numbersFrom(12)
    const text = () => Array.from({ length: below(6) }, () => pieces[below(pieces.length)]).join('')
    // The header keeps a byte order mark at the very beginning apart, as in every file.
    const rows = [['a', 'b', 'c'], ...Array.from({ length: 20_000 }, () => [text(), text(), text()])]
    const records = parse(csvLines(rows), { record_delimiter: '\n' })
    expect(records.map((record) => record.map(readCell))).toEqual(rows)
  })

  test('of no text begin a formula', () => {
    const below = numbersFrom(21)
    const rows = Array.from({ length: 20_000 }, () => [
      Array.from({ length: 1 + below(4) }, () => pieces[below(pieces.length)]).join(''),
    ])
    const cells = parse(csvLines(rows), { record_delimiter: '\n' }).flat()
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([])
  })

  test.each([
    ['=HYPERLINK("https://example.org")', `"'=HYPERLINK(""https://example.org"")"\n`],
    ['+1', "'+1\n"],
    ["'=1", "''=1\n"],
    ["'tis", "'tis\n"],
    ['a=b', 'a=b\n'],
    [-5, '-5\n'],
    [true, 'true\n'],
    [null, '\n'],
  ])('%j stands as %j', (value, line) => {
    expect(csvLines([[value]])).toBe(line)
  })
})

test('an amount of money is a number with a point, which spreadsheets can add up', () => {
  const rows = [
    ['2026-07', 'USD', { figure: 5012, decimals: 2 }],
    ['2026-07', 'JPY', { figure: -500, decimals: 0 }],
  ]
  expect(csvLines([['Month', 'Currency', 'Revenue'], ...rows])).toBe(
    'Month,Currency,Revenue\n2026-07,USD,5012.00\n2026-07,JPY,-500\n',
  )
})
