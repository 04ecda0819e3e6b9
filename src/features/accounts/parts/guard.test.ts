import { describe, expect, test } from 'vitest'
import type { Access, SessionState } from '../../../browser/session-store.ts'
import { viewFor } from './guard.tsx'

const session = { token: 'token', name: 'Jane', email: 'jane@readers.example' }

function state(access: Partial<Access>, rest: Partial<SessionState> = {}): SessionState {
  return { isSettled: true, session, access: { state: 'known', isVip: false, isAdmin: false, ...access }, ...rest }
}

describe('a guarded page', () => {
  test('waits until it is known whether there is a session', () => {
    expect(viewFor('vip', state({}, { isSettled: false, session: undefined }), false)).toBe('waiting')
  })

  test('is denied at once to whoever has no session', () => {
    expect(viewFor('vip', state({ state: 'unknown' }, { session: undefined }), false)).toBe('denied')
  })

  test.each([
    ['vip', { isVip: true }, 'open'],
    ['vip', { isAdmin: true }, 'open'],
    ['vip', {}, 'denied'],
    ['admin', { isVip: true }, 'denied'],
    ['admin', { isAdmin: true }, 'open'],
    ['admin', {}, 'denied'],
  ] as const)('behind the guard %s, for a caller with %o, is %s', (access, roles, view) => {
    expect(viewFor(access, state(roles), true)).toBe(view)
  })

  test.each(['admin', 'vip'] as const)(
    'behind the guard %s asks an administrator for a second factor first',
    (access) => {
      expect(viewFor(access, state({ needsSecondFactor: true }), true)).toBe('factor')
      expect(viewFor(access, state({ needsSecondFactor: true }), false)).toBe('waiting')
    },
  )

  test('is open to a VIP who administers the site once they have a second factor', () => {
    expect(viewFor('vip', state({ isVip: true, needsSecondFactor: true }), true)).toBe('open')
  })

  test('is not denied before the answer is there', () => {
    expect(viewFor('vip', state({ state: 'unknown' }), false)).toBe('waiting')
    expect(viewFor('vip', state({}), false)).toBe('waiting')
  })

  test('stays open while the caller is asked for again', () => {
    expect(viewFor('vip', state({ isVip: true }), false)).toBe('open')
  })

  test('does not take a failure of the network for a refusal', () => {
    expect(viewFor('vip', state({ state: 'unreachable' }), true)).toBe('unreachable')
  })
})
