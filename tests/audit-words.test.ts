import { expect, test } from 'vitest'
import { auditGroupNames, isOfSecurity } from '../src/features/office/audit/audit-event.ts'
import { AuditWords } from '../src/features/office/audit/audit-words.server.ts'
import { features } from '../src/features/site/features.server.ts'

const words = new AuditWords(features)

const about = (
  kind: string,
  name: string | null,
  action = 'x.y',
  details = {},
  id = kind === 'setting' ? 'gateway' : '1',
) => Object.values(words.describe(kind, { action, id, name, details, timeZone: 'UTC' }))

test('every action has one label, in one group of the screen', () => {
  expect(words.labelOf('item.created')).toBe('Created an entry')
  expect(words.labelOf('notice.decided')).toBe('Decided a notice')
  expect(words.labelOf('another.act')).toBe('another.act')
  const names = features.flatMap(({ auditActions = {} }) => Object.values(auditActions).flatMap(Object.keys))
  expect(names).toHaveLength(new Set(names).size)
  expect(auditGroupNames.flatMap((group) => words.actionsOf(group)).toSorted()).toEqual(names.toSorted())
  // Events of a sign-in are among the sign-ins; changes of a second factor, among the accounts.
  expect(words.actionsOf('sign-ins')).toEqual(expect.arrayContaining(['factor.code_used', 'factor.refused']))
  expect(words.actionsOf('accounts')).toContain('factor.added')
})

test('the actions of sign-ins and accounts, and no others, tell where their request came from', () => {
  for (const group of auditGroupNames)
    for (const action of words.actionsOf(group))
      expect(isOfSecurity(action), action).toBe(group === 'sign-ins' || group === 'accounts')
})

test('a subject has words, and leads to its page where there is one', () => {
  expect(about('member', 'Jane Reader')).toEqual(['Jane Reader', '/admin/people/1'])
  expect(about('member', null)).toEqual(['a deleted account', null])
  expect(about('setting', null)).toEqual(['the gateway settings', '/admin/gateway'])
  expect(about('setting', null, 'x.y', {}, 'brand')).toEqual(['settings: brand', '/admin/texts'])
  expect(about('another', null)).toEqual(['another', null])
})

test('an entry, a category and a request are called what they were called then', () => {
  const item = { name: 'Moby Dick', slug: 'moby-dick' }
  expect(about('item', null, 'item.changed', item)).toEqual(['Moby Dick', '/admin/settings?edit=1'])
  expect(about('item', null, 'item.deleted', item)).toEqual(['Moby Dick', null])
  expect(about('item', null)).toEqual(['an entry', '/admin/settings?edit=1'])
  expect(about('category', null, 'category.renamed', { before: 'Film', after: 'Music' })[0]).toBe('Music')
  expect(about('request', null, 'request.rejected', { title: 'Ulysses' })).toEqual([
    'Ulysses',
    '/admin/requests?status=rejected',
  ])
})

test('an inquiry is named by its day, and not by who has written', () => {
  expect(about('inquiry', null, 'inquiry.closed', {}, '018e0f5c-1c00-7000-8000-000000000000')).toEqual([
    'the inquiry of March 5, 2024',
    '/admin/support?state=closed',
  ])
})
