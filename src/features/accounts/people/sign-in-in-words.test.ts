import { expect, test } from 'vitest'
import type { Person } from './people-schema.ts'
import { lastEmailInWords, signInInWords } from './sign-in-in-words.ts'

const now = Date.parse('2026-11-29T12:00:00Z')
const until = '2026-11-29T12:08:00Z'
const later = '2026-11-29T12:09:00Z'
const device = { id: '1', device: 'Firefox on Linux', createdAt: until, lastUsedAt: until }
const passwords = { device: device.device, lockedUntil: until, factorLockedUntil: null }
const codes = { ...passwords, lockedUntil: null, factorLockedUntil: until }
const devices = (count: number) => Array.from({ length: count }, () => device) as never
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
  passwordChangedAt: null as string | null,
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
  [{ hasPassword: false, isInvitationWaiting: true }, /their invitation is waiting to be sent\.$/, 'invite'],
  [
    { of: { lockedUntil: until } },
    /^They cannot sign in: sign-in is locked until .+, after too many attempts\.$/,
    'unlock',
  ],
  [
    { of: { lockedUntil: until }, devices: devices(1) },
    /^They can sign in on the device that the site knows\. On new devices sign-in is locked until .+ attempts\.$/,
    'unlock',
  ],
  [{ of: { lockedUntil: until }, devices: devices(2) }, /^They can sign in on the 2 devices that/, 'unlock'],
  [
    { of: { lockedUntil: until, lockedDevices: [passwords] }, devices: devices(3) },
    /^They can sign in on 2 of the 3 devices that the site knows\./,
    'unlock',
  ],
  [
    { of: { lockedUntil: until, lockedDevices: [passwords] }, devices: devices(1) },
    /^They cannot sign in: sign-in is locked .+ attempts\. So is the device that the site knows, until [^.]+[AP]M\.$/,
    'unlock',
  ],
  [
    { of: { lockedDevices: [passwords] }, devices: devices(2) },
    /^They cannot sign in on Firefox on Linux until .+[AP]M: too many attempts there\. Elsewhere they can\.$/,
    'unlock',
  ],
  [
    { of: { lockedDevices: [passwords, { ...passwords, lockedUntil: later }] }, devices: devices(2) },
    /^They cannot sign in on the 2 devices that the site knows until .+:09\s[AP]M at the latest: too many attempts there\./,
    'unlock',
  ],
  // Unlocking leaves the waits for second factors.
  [
    { of: { lockedDevices: [codes] }, devices: devices(1), factors: withApp },
    /^They cannot sign in on Firefox on Linux until .+: too many wrong codes there\./,
    'remove-factors',
  ],
  [
    { of: { lockedDevices: [codes, passwords] }, devices: devices(3), factors: withApp },
    /^They cannot sign in on 2 of the 3 devices that the site knows until .+: too many attempts there\./,
    'unlock',
  ],
  [{ of: { lockedDevices: [codes] }, devices: devices(1) }, /^They can sign in with their password/, null],
  [
    { of: { factorLockedUntil: until }, devices: devices(1), factors: withApp, isAdmin: true },
    /^They can sign in on the device that the site knows\. On new devices .+ too many wrong codes\.$/,
    null,
  ],
  [{ of: { factorLockedUntil: until }, factors: withApp }, /^They cannot .+ wrong codes\.$/, 'remove-factors'],
  // Nothing asks for a factor that was removed.
  [{ of: { factorLockedUntil: until } }, /^They can sign in with their password/, null],
  [
    { of: { tries: [{ ...refused, action: 'factor.unfinished' }] }, factors: withApp },
    /no valid second factor\.$/,
    'remove-factors',
  ],
  [{ of: { tries: [{ ...refused, action: 'factor.refused' }] }, factors: withApp, isAdmin: true }, /no valid/, null],
  [{ of: { tries: [refused] } }, /^They can sign in\. The last attempt used a wrong password\.$/, 'reset'],
  [{ of: { tries: [refused] }, passwordChangedAt: later }, /^They can sign in with their password\.$/, null],
  [{ of: { lacksFactor: true }, isAdmin: true }, /^They can sign in\. Administration stays closed/, null],
])('%j: %s, and the next step is %s', ({ of, ...rest }, sentence, help) => {
  const words = signInInWords({ ...person, ...rest, signIn: { ...signIn, ...of } })
  expect(words.sentence).toMatch(sentence)
  expect(words.help).toBe(help)
})

test('the latest email is told of with its fate, one that waits first', () => {
  const unsent = { words: 'Reset link', state: 'waiting', since: '2026-11-29T11:55:00Z', reason: null } as const
  const sent = { fate: 'sent', answer: '250 Ok', at: '2026-11-29T11:50:00Z' } as const
  const link = { writtenAt: '2026-11-29T11:45:00Z', endsAt: '2026-11-29T12:20:00Z', email: null }
  const words = (facts: Partial<Person['signIn']>) => lastEmailInWords({ ...signIn, ...facts }, now)
  const lastEmail = { words: 'Receipt', ...sent }
  const failed = { ...lastEmail, answer: '550 Gone' }
  expect(words({})).toBe('None that the log of emails has.')
  expect(words({ lastEmail })).toBe('Receipt: sent 10 minutes ago.')
  expect(words({ lastEmail: { ...failed, fate: 'bounced' } })).toBe(
    'Receipt: sent 10 minutes ago, came back (550 Gone).',
  )
  expect(words({ lastEmail: { ...failed, fate: 'refused' } })).toBe('Receipt: refused 10 minutes ago (550 Gone).')
  expect(words({ lastEmail, emailStop: 'complaint' })).toMatch(/^Receipt: sent .+ They reported an email as spam/)
  expect(words({ unsentEmail: unsent, link })).toBe('Reset link, queued 5 minutes ago, waiting to be sent.')
  expect(words({ unsentEmail: { ...unsent, reason: 'Connection refused.' } })).toMatch(
    /The last try failed: Connection/,
  )
  expect(words({ unsentEmail: { ...unsent, state: 'failed', reason: 'Gone.' } })).toBe('Reset link, not sent: Gone.')

  // A link is open only where its email went out.
  const open = /The link works until .+[AP]M\. They have not used it\.$/
  expect(words({ lastEmail, link })).toMatch(/^Receipt: .+ ago\. Link to set a password: written 15 minutes ago\./)
  expect(words({ link })).toMatch(open)
  expect(words({ link: { ...link, email: sent } })).toMatch(/^Link to set a password: sent 10 minutes ago\. The link/)
  expect(words({ lastEmail, link: { ...link, email: sent } })).toMatch(/^Receipt: sent 10 minutes ago\. The link works/)
  expect(words({ link: { ...link, email: { ...failed, fate: 'refused' } } })).toBe(
    'Link to set a password: refused 10 minutes ago (550 Gone).',
  )
  expect(words({ link, emailStop: 'bounce' })).toMatch(/works until .+ Emails to this address came back/)
  expect(words({ link: { ...link, endsAt: '2026-11-29T11:59:00Z' } })).toMatch(/The link has expired\./)
})
