import { expect, test } from 'vitest'
import { detailLines, isOfThemselves } from './audit-words.ts'

const lines = (details: Record<string, unknown>, action = 'x.y') => detailLines({ action, details })

test('what was changed is shown before and after, in each of the forms in which it is recorded', () => {
  expect(lines({ before: { wait: 5, raw: false }, after: { wait: 1_000, raw: true, account: '' } })).toEqual([
    { name: 'wait', before: '5', after: '1,000' },
    { name: 'raw', before: 'no', after: 'yes' },
  ])
  expect(lines({ before: 'Film', after: 'Music' })).toEqual([{ name: 'value', before: 'Film', after: 'Music' }])
  expect(lines({ name: { before: 'Old', after: 'New' }, rows: 3 })).toEqual([
    { name: 'name', before: 'Old', after: 'New' },
    { name: 'rows', after: '3' },
  ])
})

test('other facts are shown in words, and long ones are cut between characters', () => {
  expect(lines({})).toEqual([])
  expect(lines({ reasons: ['rights.missing'] })).toEqual([{ name: 'reasons', after: 'rights.missing' }])
  expect(lines({ text: '𝔘'.repeat(1_300) })[0]?.after).toBe(`${'𝔘'.repeat(1_200)}…`)
})

test('what is empty or did not change is left out', () => {
  expect(lines({ none: null, left: 0, text: '', list: [], within: { none: null } })).toEqual([])
  expect(lines({ before: { wait: 5, raw: false }, after: { wait: 5, raw: true } })).toEqual([
    { name: 'raw', before: 'no', after: 'yes' },
  ])
  expect(lines({ wait: { before: null, after: 5 } })).toEqual([{ name: 'wait', before: 'nothing', after: '5' }])
})

test('lists and facts within facts are no raw JSON', () => {
  const details = { fields: ['name', 'tags'], filter: { postedFrom: '2026-03-05', isVip: false }, changes: [{ a: 1 }] }
  expect(lines(details)).toEqual([
    { name: 'fields', after: 'name, tags' },
    { name: 'filter, posted from', after: '2026-03-05' },
    { name: 'filter, is vip', after: 'no' },
    { name: 'changes', after: 'a 1' },
  ])
})

test('a refusal says how often it was, from which networks, and in which request', () => {
  const details = { limit: 'sign-ins', times: 1_200, address: ['203.0.113.0/24', '2001:db8:1::/48'], requestId: 'a-b' }
  expect(lines({ ...details, furtherAccounts: 3 })).toEqual([
    { name: 'limit', after: 'sign-ins' },
    { name: 'how often', after: '1,200' },
    { name: 'network', after: '203.0.113.0/24, 2001:db8:1::/48' },
    { name: 'further accounts', after: '3' },
    { name: 'request', after: 'a-b' },
  ])
})

test('of the id of a request the first characters are shown, and last', () => {
  const requestId = '018e0f5c-1c00-7000-8000-000000000000'
  expect(lines({ requestId, remembered: true })).toEqual([
    { name: 'remembered', after: 'yes' },
    { name: 'request', after: '018e0f5c', title: requestId },
  ])
})

test('a second factor is named, where it was shown and where it was changed', () => {
  expect(lines({ remembered: false, factor: 'totp' }, 'session.opened')).toEqual([
    { name: 'remembered', after: 'no' },
    { name: 'factor', after: 'authenticator app' },
  ])
  expect(lines({ remembered: false }, 'session.opened')).toEqual([{ name: 'remembered', after: 'no' }])
  expect(lines({ kind: 'passkey' }, 'factor.added')).toEqual([{ name: 'factor', after: 'passkey' }])
  expect(lines({ factor: 'recovery' }, 'session.opened')).toEqual([{ name: 'factor', after: 'recovery code' }])
  expect(lines({ left: 8 }, 'factor.code_used')).toEqual([{ name: 'codes left', after: '8' }])
  expect(lines({ passkeys: 2, totp: true }, 'factor.all_removed')).toEqual([
    { name: 'passkeys', after: '2' },
    { name: 'authenticator app', after: 'yes' },
  ])
  // An event without a second factor keeps its own words.
  expect(lines({ kind: 'reset' }, 'password.reset_sent')).toEqual([{ name: 'kind', after: 'reset' }])
})

test('who did something to themselves is named once', () => {
  const by = { kind: 'member', id: '1', name: 'Jane Reader' } as const
  const subject = { kind: 'member', id: '1', name: 'Jane Reader', words: 'Jane Reader', path: '/admin/people/1' }
  expect(isOfThemselves({ by, subject })).toBe(true)
  expect(isOfThemselves({ by, subject: { ...subject, id: '2' } })).toBe(false)
  expect(isOfThemselves({ by, subject: { ...subject, kind: 'item' } })).toBe(false)
  expect(isOfThemselves({ by, subject: null })).toBe(false)
  expect(isOfThemselves({ by: { kind: 'operator', id: null, name: null }, subject })).toBe(false)
})
