import { expect, test } from 'vitest'
import { endOfSession, isSessionOver, type StoredSession } from './session-lifetimes.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const signedInAt = Date.parse('2024-03-15T12:00:00Z')
const after = (ms: number): Date => new Date(signedInAt + ms)

const aMembers: StoredSession = {
  isRemembered: false,
  isAdmin: false,
  createdAt: after(0),
  lastSeenAt: after(0),
  expiresAt: after(day),
}
const remembered: StoredSession = { ...aMembers, isRemembered: true, expiresAt: after(30 * day) }
const administrators: StoredSession = { ...aMembers, isAdmin: true, expiresAt: after(12 * hour) }

test.each([
  ['a member', aMembers, day, 8 * hour],
  ['a remembered member', remembered, 30 * day, 30 * day],
  ['an administrator', administrators, 12 * hour, 30 * minute],
  ['a remembered member who has become an administrator', { ...remembered, isAdmin: true }, 12 * hour, 30 * minute],
  ['an administrator whose role was taken', { ...administrators, isAdmin: false }, 12 * hour, 8 * hour],
])('the session of %s has its length, in all and without use', (_who, session, absoluteMs, idleMs) => {
  expect(endOfSession(session)).toEqual(after(absoluteMs))
  expect(isSessionOver(session, signedInAt + idleMs - 1)).toBe(false)
  expect(isSessionOver(session, signedInAt + idleMs)).toBe(true)
  const inUse = { ...session, lastSeenAt: after(absoluteMs - 1) }
  expect(isSessionOver(inUse, signedInAt + absoluteMs - 1)).toBe(false)
  expect(isSessionOver(inUse, signedInAt + absoluteMs)).toBe(true)
})
