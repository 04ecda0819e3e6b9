import { expect, test } from 'vitest'
import { shareInWords } from './figures-table.tsx'

test.each([
  [0, 1_204, '0 %'],
  [1, 7_405, 'under 0.1 %'],
  [7, 7_405, '0.1 %'],
  [40, 7_405, '0.5 %'],
  [7_358, 7_405, '99.4 %'],
  [7_404, 7_405, '99.9 %'],
  [7_405, 7_405, '100 %'],
])('%i of %i are %s', (part, whole, share) => expect(shareInWords(part, whole)).toBe(share))
