import { expect, test } from 'vitest'
import { countsInWords, invitationsInWords } from './import-words.ts'

test('counts say only what there is', () => {
  expect(countsInWords({ new: 1200, existing: 1, rejected: 2, made: 0 })).toBe(
    '1,200 new, 1 has an account, 2 rejected',
  )
  expect(countsInWords({ new: 0, existing: 2, rejected: 0, made: 3 })).toBe('3 imported, 2 have an account')
  expect(countsInWords({ new: 0, existing: 0, rejected: 0, made: 0 })).toBe('no rows')
})

test('one invitation waits, several wait', () => {
  expect(invitationsInWords(1)).toBe('1 invitation waits. 60 are sent each minute.')
  expect(invitationsInWords(19_940)).toBe('19,940 invitations wait. 60 are sent each minute.')
})
