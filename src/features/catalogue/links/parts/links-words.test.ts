import { describe, expect, it, test } from 'vitest'
import type { LinkForAdmin } from '../links-schema.ts'
import { countsInWords, emptySentence, reasonInWords, tellingLink } from './links-words.ts'

test.each([
  [{ reason: null, status: null }, 'not checked yet'],
  [{ reason: 'http', status: 206 }, 'found (206)'],
  [{ reason: 'http', status: 403 }, "the host won't say (403)"],
  [{ reason: 'http', status: 503 }, 'status 503'],
  [{ reason: 'http', status: 404 }, 'not found (404)'],
  [{ reason: 'timeout', status: null }, 'no answer in time'],
] as const)('%o: %s', (link, words) => expect(reasonInWords(link)).toBe(words))

describe('countsInWords', () => {
  const none = { ok: 0, suspect: 0, dead: 0, unknown: 0 }

  it('leaves out what there is none of', () => {
    expect(countsInWords({ counts: { ...none, ok: 1 }, entriesWithoutLiveMirror: 0 })).toBe('1 working.')
    const counts = { ok: 1_204, suspect: 1, dead: 5, unknown: 30 }
    expect(countsInWords({ counts, entriesWithoutLiveMirror: 2 })).toBe(
      '1,204 working, 1 in doubt, 5 dead, 30 unknown. 2 entries have no live mirror.',
    )
  })

  it('claims nothing of what was not checked', () => {
    expect(countsInWords({ counts: { ...none, unknown: 419 }, entriesWithoutLiveMirror: 0 })).toBe(
      '0 working, 419 unknown.',
    )
  })
})

test('the worst link tells the state of an entry', () => {
  const link = (state: string, checkedAt: string | null) => ({ state, checkedAt }) as LinkForAdmin
  const dead = link('dead', '2026-11-01T00:00:00Z')
  expect(tellingLink([link('ok', '2026-11-02T00:00:00Z'), dead, link('unknown', null)])).toBe(dead)
  const later = link('ok', '2026-11-03T00:00:00Z')
  expect(tellingLink([link('ok', '2026-11-02T00:00:00Z'), later])).toBe(later)
  expect(tellingLink([])).toBeUndefined()
})

test('an empty list says why', () => {
  expect(emptySentence(false)).toContain('no links yet')
  expect(emptySentence(true)).toContain('such a link')
})
