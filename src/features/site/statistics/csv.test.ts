import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { moneyAsFigure } from '../../membership/plans/format-money.ts'
import { csvOf } from './csv.ts'

test('a table is read back as it was written', () => {
  const heads = ['Text', 'Searches']
  const rows = [
    ['plain', 3],
    ['with "quotes", a comma and\nanother line', 12],
    ['二字', 0],
  ]
  expect(parse(csvOf({ heads, rows }))).toEqual([heads, ...rows.map((row) => row.map(String))])
})

test.each(['=1+1', '+1', '-1', '@sum', '\tx'])('a text that begins a formula is no formula: %j', (text) => {
  expect(csvOf({ heads: ['Text'], rows: [[text], [-5]] })).toBe(`Text\r\n'${text}\r\n-5\r\n`)
})

test('an amount of money is a number with a point, which spreadsheets can add up', () => {
  const rows = [
    ['2026-07', 'USD', moneyAsFigure(501_200, 'usd')],
    ['2026-07', 'JPY', moneyAsFigure(-500, 'jpy')],
  ]
  expect(csvOf({ heads: ['Month', 'Currency', 'Revenue'], rows })).toBe(
    'Month,Currency,Revenue\r\n2026-07,USD,5012.00\r\n2026-07,JPY,-500\r\n',
  )
})
