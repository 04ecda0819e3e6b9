import { expect, test } from 'vitest'
import { addedTo, linesIn, savedByOthers } from './names-words.ts'

const names = {
  refused: ['leaked', 'looted goods', 'smuggled'],
  pairs: { minority: ['novice'], sexual: ['gaudy'] },
  version: 3,
  builtIn: { refused: ['leaked'], pairs: { minority: ['novice'], sexual: [] } },
}

test('the fields hold what administrators have added, one term on each line', () => {
  expect(addedTo('refused', names)).toBe('looted goods\nsmuggled')
  expect(addedTo('minority', names)).toBe('')
})

test('blank lines of a field are no terms', () => {
  expect(linesIn(' looted goods \r\n\n  \nsmuggled')).toEqual(['looted goods', 'smuggled'])
})

test('the terms that somebody else has saved are told by list', () => {
  expect(savedByOthers(names)).toEqual(['Refused everywhere: looted goods, smuggled', 'Sexual words: gaudy'])
})
