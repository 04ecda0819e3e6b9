import { expect, test } from 'vitest'
import { foldTitle, tidyTitle } from './folded-title.ts'

test.each([
  ['Moby-Dick', 'moby dick'],
  ['  Les   Misérables! ', 'les miserables'],
  ['百物語', '百物語'],
  ['!!!', '!!!'],
  ['\u200b', ''],
])('the title %j is the same as any other that folds to %j', (title, folded) => {
  expect(foldTitle(title)).toBe(folded)
})

test('a title stands on one line', () => {
  expect(tidyTitle(' The\n Moon\u0007stone\t')).toBe('The Moon stone')
})
