import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import type { Person } from '../people-schema.ts'
import { PersonFactors } from './person-factors.tsx'

const person = {
  hasPassword: true,
  isAdmin: false,
  devices: [],
  factors: { passkeys: 0, totp: true, recoveryCodesLeft: 9 },
  signIn: { lockedUntil: null, factorLockedUntil: null, lockedDevices: [], lacksFactor: false, tries: [] },
} as unknown as Person
const tries: Person['signIn']['tries'] = [
  { action: 'factor.unfinished', words: 'No second factor', at: '2026-11-29T12:00:00Z', times: 1 },
]

test.each([
  ['stands here', person, 1],
  ['stands under Sign-in where it is the next step', { ...person, signIn: { ...person.signIn, tries } }, 0],
])('the removal of a second factor %s', (_where, of, buttons) => {
  const { text, html } = rendered(<PersonFactors person={of} now={0} onChanged={() => {}} onGone={() => {}} />)
  expect(text).toContain('An authenticator app. 9 recovery codes are left.')
  expect(html.split('<button').length - 1).toBe(buttons)
})
