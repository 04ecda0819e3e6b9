import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import { FiguresTable } from './figures-table.tsx'

test('A row leads to the page of its entry, where there is one', () => {
  const { hrefs, text } = rendered(
    <FiguresTable
      table={{
        name: 'Conversion by entry',
        heads: ['Entry', 'Purchases'],
        rows: [
          ['Walden', 2],
          ['An entry that is not listed', 1],
        ],
        links: ['/western/walden', null],
      }}
    />,
  )
  expect(hrefs).toEqual(['/western/walden'])
  expect(text).toContain('Walden 2 An entry that is not listed 1')
})
