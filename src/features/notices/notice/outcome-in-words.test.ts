import { expect, test } from 'vitest'
import { type DecidedEntry, groundTitle, outcomeInWords } from './outcome-in-words.ts'

const entry = (effect: DecidedEntry['effect'], isOnSite = effect === 'published'): DecidedEntry => ({
  name: 'Kalevala',
  path: '/western/kalevala-lonnrot',
  wasReported: true,
  isOfSender: true,
  effect,
  isOnSite,
})

test('a decision is told by what became of the entries that were reported', () => {
  expect([
    outcomeInWords('remove', [entry('removed')]),
    outcomeInWords('restrict', [entry('restricted')]),
    outcomeInWords('keep', [entry('unchanged', true)]),
    outcomeInWords('keep', [entry('published')]),
    outcomeInWords('keep', [entry('published'), entry('removed'), entry('restricted')]),
  ]).toEqual([
    'We removed what was reported.',
    'We took what was reported off the site for now.',
    'The reported entries stay on the site.',
    'The reported entries are on the site again.',
    '1 of 3 reported entries is on the site. The others stay off it.',
  ])
})

test('what something else keeps off the site is not called back on it', () => {
  for (const effect of ['unchanged', 'restricted', 'draft'] as const)
    expect(outcomeInWords('keep', [entry(effect, false)])).toBe(
      'The reported entries are not on the site, but for another reason than this notice.',
    )
})

test('nothing is called removed where no entry was found', () => {
  for (const outcome of ['remove', 'restrict', 'keep'] as const)
    expect(outcomeInWords(outcome, [])).toBe('We found no entry at the addresses in the notice, so we removed nothing.')
})

test('what is kept is not called illegal', () => {
  expect([groundTitle('keep', 'illegal'), groundTitle('remove', 'illegal')]).toEqual([
    'Law we checked',
    'Against the law',
  ])
})
