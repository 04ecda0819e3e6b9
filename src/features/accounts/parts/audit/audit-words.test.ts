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

test('other facts are shown in words, and long ones are cut between characters', () => {
  expect(detailLines({})).toEqual([])
  expect(detailLines({ reasons: ['rights.missing'], none: null })).toEqual([
    { name: 'reasons', after: 'rights.missing' },
    { name: 'none', after: 'nothing' },
  ])
  expect(detailLines({ text: '𝔘'.repeat(1_300) })[0]?.after).toBe(`${'𝔘'.repeat(1_200)}…`)
})

test('lists and facts within facts are no raw JSON', () => {
  const details = { fields: ['name', 'tags'], filter: { postedFrom: '2026-03-05', isVip: false }, changes: [{ a: 1 }] }
  expect(detailLines(details)).toEqual([
    { name: 'fields', after: 'name, tags' },
    { name: 'filter, posted from', after: '2026-03-05' },
    { name: 'filter, is vip', after: 'no' },
    { name: 'changes', after: 'a 1' },
  ])
})

const about = (kind: string, name: string | null, action = 'x.y', details = {}) => {
  const event = { action, details, subject: { kind, id: kind === 'setting' ? 'gateway' : '1', name } }
  return [subjectInWords(event), pathOfSubject(event)]
}

test('a subject has words, and leads to its page where there is one', () => {
  expect(about('member', 'Jane Reader')).toEqual(['Jane Reader', '/admin/people/1'])
  expect(about('member', null)).toEqual(['a deleted account', undefined])
  expect(about('setting', null)).toEqual(['settings: gateway', '/admin/gateway'])
  expect(about('another', null)).toEqual(['another', undefined])
})

test('an entry, a category and a request are called what they were called then', () => {
  const item = { name: 'Moby Dick', slug: 'moby-dick' }
  expect(about('item', null, 'item.changed', item)).toEqual(['Moby Dick', '/admin/settings?edit=1'])
  expect(about('item', null, 'item.deleted', item)).toEqual(['Moby Dick', undefined])
  expect(about('item', null)).toEqual(['an entry', '/admin/settings?edit=1'])
  expect(about('category', null, 'category.renamed', { before: 'Film', after: 'Music' })[0]).toBe('Music')
  expect(about('request', null, 'request.rejected', { title: 'Ulysses' })).toEqual([
    'Ulysses',
    '/admin/requests?status=rejected',
  ])
})

test('an inquiry is named by its day, and not by who has written', () => {
  const subject = { kind: 'inquiry', id: '018e0f5c-1c00-7000-8000-000000000000', name: null }
  const event = { action: 'inquiry.closed', details: {}, subject }
  expect(subjectInWords(event)).toMatch(/^the inquiry of March \d, 2024$/)
  expect(pathOfSubject(event)).toBe('/admin/support?state=closed')
})
