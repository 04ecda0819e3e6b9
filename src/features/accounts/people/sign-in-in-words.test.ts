import { expect, test } from 'vitest'
import type { Person } from './people-schema.ts'
import { emailInWords, signInInWords } from './sign-in-in-words.ts'

const now = Date.parse('2026-11-29T12:00:00Z')
const until = '2026-11-29T12:08:00Z'
const device = { id: '1', device: 'Firefox on Linux', createdAt: until, lastUsedAt: until }
const refused = { action: 'session.refused', words: 'Refused wrong passwords', at: until, times: 3 } as const

const signIn: Person['signIn'] = {
  lockedUntil: null,
  factorLockedUntil: null,
  lockedDevices: [],
  lacksFactor: false,
  confirmedAt: null,
  tries: [],
  unsentEmail: null,
  lastEmail: null,
  emailStop: null,
  link: null,
}
const person = {
  hasPassword: true,
  isInvitationWaiting: false,
  isAdmin: false,
  devices: [],
  factors: { passkeys: 0, totp: false, recoveryCodesLeft: 0 },
  signIn,
}
const withApp = { ...person.factors, totp: true }

test.each<[Partial<typeof person> & { of?: Partial<Person['signIn']> }, RegExp, string | null]>([
  [{}, /^They can sign in with their password\.$/, null],
  [{ factors: withApp }, /^They can sign in, with their password and a second factor\.$/, null],
  [{ hasPassword: false }, /^They cannot sign in: they were imported/, 'invite'],
  [{ hasPassword: false, isInvitationWaiting: true }, /their invitation waits to be sent\.$/, 'invite'],
  [
    { of: { lockedUntil: until } },
    /^They cannot sign in: sign-in is locked until .+, after too many tries\.$/,
    'unlock',
  ],
  [
    { of: { lockedUntil: until }, devices: [device] as never },
    /^They can sign in on the devices that the site knows/,
    'unlock',
  ],
  [
    { of: { lockedUntil: until, lockedDevices: [{ device: device.device, until }] }, devices: [device] as never },
    /^They cannot sign in: sign-in is locked/,
    'unlock',
  ],
  [
    { of: { lockedDevices: [{ device: device.device, until }] }, devices: [device] as never },
    /^They cannot sign in on Firefox on Linux/,
    'unlock',
  ],
  [{ of: { factorLockedUntil: until }, factors: withApp }, /too many wrong codes/, 'remove-factors'],
  // Nothing asks for a factor that was removed.
  [{ of: { factorLockedUntil: until } }, /^They can sign in with their password/, null],
  [
    { of: { tries: [{ ...refused, action: 'factor.unfinished' }] }, factors: withApp },
    /no right second factor\.$/,
    'remove-factors',
  ],
  [{ of: { tries: [{ ...refused, action: 'factor.refused' }] }, factors: withApp, isAdmin: true }, /no right/, null],
  [{ of: { tries: [refused] } }, /last gave a wrong password\.$/, 'reset'],
  [{ of: { lacksFactor: true }, isAdmin: true }, /^They can sign in\. The administration stays closed/, null],
])('%j: %s, and the next step is %s', ({ of, ...rest }, sentence, help) => {
  const words = signInInWords({ ...person, ...rest, signIn: { ...signIn, ...of } })
  expect(words.sentence).toMatch(sentence)
  expect(words.help).toBe(help)
})

test('the latest email is told of with its fate, one that waits first', () => {
  const unsent = { kind: 'reset link', state: 'waiting', since: '2026-11-29T11:55:00Z', reason: null } as const
  const link = { writtenAt: '2026-11-29T11:50:00Z', endsAt: '2026-11-29T12:20:00Z' }
  const words = (facts: Partial<Person['signIn']>) => emailInWords({ ...signIn, ...facts }, now)
  const lastEmail = { words: 'Receipt', fate: 'sent', answer: '250 Ok', at: '2026-11-29T11:50:00Z' } as const
  expect(words({})).toBe('None in the last 30 days.')
  expect(words({ lastEmail })).toBe('Receipt: sent 10 minutes ago.')
  expect(words({ lastEmail: { ...lastEmail, fate: 'bounced' } })).toBe('Receipt: came back 10 minutes ago.')
  expect(words({ lastEmail, emailStop: 'bounce' })).toMatch(/^Emails to this address came back/)
  expect(words({ lastEmail, link })).toMatch(/^Receipt: sent 10 minutes ago\. A link to set a password went out/)
  expect(words({ unsentEmail: unsent, link })).toBe('Reset link, queued 5 minutes ago, waits to be sent.')
  expect(words({ unsentEmail: { ...unsent, reason: 'Connection refused.' } })).toMatch(
    /The last try failed: Connection/,
  )
  expect(words({ unsentEmail: { ...unsent, state: 'failed', reason: 'Gone.' } })).toBe('Reset link, not sent: Gone.')
  expect(words({ link })).toMatch(
    /^A link to set a password went out 10 minutes ago and works until .+ They have not used it\.$/,
  )
  expect(words({ link: { ...link, endsAt: '2026-11-29T11:59:00Z' } })).toMatch(/and has expired/)
})
