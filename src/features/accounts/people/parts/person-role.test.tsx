import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import type { Person } from '../people-schema.ts'
import { PersonRole } from './person-role.tsx'
import { RolesOfPerson } from './roles-of-person.tsx'

const person: Person = {
  id: '0190a000-0000-7000-8000-000000000001',
  name: 'Ada Keeper',
  email: 'ada@desk.example',
  createdAt: '2024-03-15T12:00:00Z',
  lastSeenAt: null,
  isAdmin: true,
  isSafetyOfficer: false,
  hasPassword: true,
  isEmailConfirmed: true,
  passwordChangedAt: '2024-03-15T12:00:00Z',
  isInvitationWaiting: false,
  isSelf: false,
  canChangeMark: true,
  note: { text: '', version: 0, changedAt: null },
  sessions: [],
  devices: [],
  appPasswords: [],
  privateFeed: null,
  factors: { passkeys: 0, totp: false, recoveryCodesLeft: 0 },
  signIn: {
    lockedUntil: null,
    factorLockedUntil: null,
    lockedDevices: [],
    lacksFactor: false,
    confirmedAt: '2024-03-15T12:00:00Z',
    tries: [],
    unsentEmail: null,
    lastEmail: null,
    emailStop: null,
    link: null,
  },
}

test.each([
  [{ isAdmin: false, isSafetyOfficer: false }, 'Member'],
  [{ isAdmin: true, isSafetyOfficer: false }, 'Administrator'],
  [{ isAdmin: true, isSafetyOfficer: true }, 'Administrator Safety officer'],
])('the list says of %j: %s', (roles, words) => {
  expect(rendered(<RolesOfPerson {...roles} />).text).toBe(words)
})

const officer = { isSafetyOfficer: true }
const kept = 'Only a safety officer can give up'

test.each([
  ['a member', { isAdmin: false }, ['Make an administrator'], false],
  ['an administrator', {}, ['Take the administrator role away', 'Name as safety officer'], false],
  [
    'a safety officer to themselves',
    { ...officer, isSelf: true },
    ['Take the administrator role away', 'Stop being a safety officer'],
    false,
  ],
  [
    'an administrator, to who is no safety officer',
    { canChangeMark: false },
    ['Take the administrator role away'],
    false,
  ],
  ['a safety officer to anybody else', { ...officer, canChangeMark: false }, [], true],
])('the page of %s offers which roles can be given and taken', (_who, facts, offered, isKept) => {
  const page = { person: { ...person, ...facts }, now: 0, onChanged: () => {}, onGone: () => {} }
  const { html, text } = rendered(<PersonRole {...page} />)
  expect([...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, words]) => words)).toEqual(offered)
  expect(text.includes(kept)).toBe(isKept)
  expect(text.includes(`admin safety-officer ${person.email} --remove`)).toBe(isKept)
})
