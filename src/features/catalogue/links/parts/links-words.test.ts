import { describe, expect, it, test } from 'vitest'
import { countsInWords, emptySentence, reasonInWords } from './links-words.ts'

test.each([
  [{ reason: null, status: null }, 'not checked yet'],
  [{ reason: 'http', status: 206 }, 'found (206)'],
  [{ reason: 'http', status: 403 }, 'the host does not tell (403)'],
  [{ reason: 'http', status: 503 }, 'status 503'],
  [{ reason: 'http', status: 404 }, 'not found (404)'],
  [{ reason: 'timeout', status: null }, 'no answer in time'],
] as const)('%o: %s', (link, words) => expect(reasonInWords(link)).toBe(words))

describe('countsInWords', () => {
  it('leaves out what there is none of', () => {
    expect(countsInWords({ ok: 1, suspect: 0, dead: 0, unknown: 0, itemsWithoutLiveMirror: 0 })).toBe(
      '1 works. No entry is known to have lost all of its mirrors.',
    )
    expect(countsInWords({ ok: 1_204, suspect: 1, dead: 5, unknown: 30, itemsWithoutLiveMirror: 2 })).toBe(
      '1,204 work, 1 is in doubt, 5 are dead, 30 are unknown. 2 entries have no live mirror.',
    )
  })

  it('claims nothing of what was not checked', () => {
    expect(countsInWords({ ok: 0, suspect: 0, dead: 0, unknown: 419, itemsWithoutLiveMirror: 0 })).toBe(
      '0 work, 419 are unknown. No entry is known to have lost all of its mirrors.',
    )
  })
})

test('an empty list says why', () => {
  expect(emptySentence(undefined, 0)).toContain('no links yet')
  expect(emptySentence('dead', 0)).toContain('in this state')
  expect(emptySentence('dead', 5)).toContain('no such page')
})
