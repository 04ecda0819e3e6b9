import { expect, test } from 'vitest'
import { detailLines, pathOfSubject, subjectInWords } from './audit-words.ts'

test('what was changed is shown before and after, in each of the forms in which it is recorded', () => {
  expect(detailLines({ before: { wait: 5, raw: false }, after: { wait: 1_000, raw: true, account: '' } })).toEqual([
    { name: 'wait', before: '5', after: '1,000' },
    { name: 'raw', before: 'no', after: 'yes' },
    { name: 'account', before: 'nothing', after: 'nothing' },
  ])
  expect(detailLines({ before: 'Film', after: 'Music' })).toEqual([{ name: 'value', before: 'Film', after: 'Music' }])
  expect(detailLines({ name: { before: 'Old', after: 'New' }, rows: 3 })).toEqual([
    { name: 'name', before: 'Old', after: 'New' },
    { name: 'rows', after: '3' },
  ])
})

test('other facts are shown as they are, and long ones are cut between characters', () => {
  expect(detailLines({})).toEqual([])
  expect(detailLines({ reasons: ['rights.missing'], none: null })).toEqual([
    { name: 'reasons', after: '["rights.missing"]' },
    { name: 'none', after: 'nothing' },
  ])
  expect(detailLines({ text: '𝔘'.repeat(300) })[0]?.after).toBe(`${'𝔘'.repeat(200)}…`)
})

test('a subject has words, and leads to its page where there is one', () => {
  const member = { kind: 'member', id: '1', name: 'Jane Reader' }
  expect([subjectInWords(member), pathOfSubject(member)]).toEqual(['Jane Reader', '/admin/people/1'])
  const deleted = { ...member, name: null }
  expect([subjectInWords(deleted), pathOfSubject(deleted)]).toEqual(['a deleted account', undefined])
  const gateway = { kind: 'setting', id: 'gateway', name: null }
  expect([subjectInWords(gateway), pathOfSubject(gateway)]).toEqual(['settings: gateway', '/admin/gateway'])
  expect(subjectInWords({ kind: 'item', id: '1', name: null })).toBe('an entry')
  expect(subjectInWords({ kind: 'another', id: '1', name: null })).toBe('another')
})
