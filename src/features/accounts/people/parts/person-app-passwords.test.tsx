import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import type { Person } from '../people-schema.ts'
import { PersonAppPasswords } from './person-app-passwords.tsx'
import { PersonSessions } from './person-sessions.tsx'

const made = { id: '1', name: 'My Kindle', createdAt: '2024-03-15T12:00:00Z', lastUsedAt: null }
const personWith = (appPasswords: Person['appPasswords']) => ({
  person: { id: '2', sessions: [], appPasswords } as unknown as Person,
  now: Date.parse('2024-03-15T12:00:00Z'),
  onChanged: () => {},
  onGone: () => {},
})

test('app passwords are listed by name, and can be ended without a session; without one nothing is said', () => {
  const page = personWith([made])
  expect(rendered(<PersonAppPasswords {...page} />).text).toMatch(/My Kindle.*Not used yet/)
  expect(rendered(<PersonSessions {...page} />).text).toContain('Not signed in anywhere. Sign out everywhere')
  const none = personWith([])
  expect(rendered(<PersonAppPasswords {...none} />).text).toBe('')
  expect(rendered(<PersonSessions {...none} />).text).not.toContain('Sign out')
})
