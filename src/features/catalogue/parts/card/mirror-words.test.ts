import { expect, test } from 'vitest'
import type { MirrorCount } from '../../item/link-slots.ts'
import { mirrorsInWords } from './mirror-words.ts'

const count = (states: Partial<MirrorCount>): MirrorCount => {
  const { ok = 0, suspect = 0, dead = 0, unknown = 0 } = states
  return { ok, suspect, dead, unknown, total: ok + suspect + dead + unknown, checkedAt: null }
}

test.each([
  [{ ok: 3 }, '3 of 3 mirrors working'],
  [{ ok: 2, dead: 1 }, '2 of 3 mirrors working'],
  [{ ok: 1, suspect: 1, unknown: 2 }, '1 of 4 mirrors working, 1 in doubt, 2 not verified'],
  [{ dead: 1 }, '0 of 1 mirror working'],
  [{ unknown: 1 }, 'The mirror could not be verified'],
  [{ unknown: 3 }, 'None of 3 mirrors could be verified'],
  [{ unknown: 2, dead: 1 }, '0 of 3 mirrors working, 2 not verified'],
])('%o: %s', (states, words) => expect(mirrorsInWords(count(states))).toBe(words))
