import { describe, expect, test } from 'vitest'
import { elementNames, neededElements } from '../notice/notice-elements.ts'
import { counterNoticeFields, faultsOfCounterNotice } from './counter-notice-form.ts'
import { fieldsOf, formWords, type NoticeForm, noticeForms } from './notice-forms.ts'
import { entryQuery, reportedEntry } from './reported-entry.ts'
import {
  addressesIn,
  emptyFieldsIn,
  faultsOfNotice,
  fieldsIn,
  kindOf,
  maxAddresses,
  namesIn,
  readTyped,
  reportedIn,
  type Typed,
} from './typed-notice.ts'

describe('the forms', () => {
  test.each(noticeForms)('%s asks for what its law asks, and every field but those in brackets is needed', (form) => {
    const names = fieldsOf(form).map(({ name }) => name)
    for (const name of neededElements[form]) expect(names).toContain(name)
    for (const { name, isRequired, label, ask } of fieldsOf(form)) {
      const isElement = elementNames.some((element) => element === name)
      const isNeeded = !isElement || neededElements[form].some((needed) => needed === name)
      expect(isRequired, `${form}: ${name}`).toBe(isNeeded)
      if (isRequired) expect(ask).toMatch(/\.$/)
      else expect(label.endsWith('(optional)') || name === 'phone' || name === 'address', label).toBe(true)
    }
    // By when something happens.
    const { lead, notes } = formWords[form]
    expect([lead, ...notes].join(' ')).toMatch(/\d (hours|days|business days)/)
  })

  test('stand in the order of their gravity', () => {
    expect(noticeForms).toEqual(['child-safety', 'intimate-image', 'copyright', 'privacy', 'other'])
  })
})

describe('what is typed', () => {
  test('is read by its names alone, of a name that comes twice the first', () => {
    const values = new FormData()
    for (const [name, value] of [
      ['name', 'Jane'],
      ['name', 'Joan'],
      ['status', 'decided'],
      ['workDescription', 'not asked by this form'],
    ] as const)
      values.append(name, value)
    expect(readTyped(values, namesIn('other'))).toEqual({ name: 'Jane' })
  })

  test('has an address on each line, each once', () => {
    expect(addressesIn(' https://a.example/x \r\n\r\n/asian/y\nhttps://a.example/x\n\t')).toEqual([
      'https://a.example/x',
      '/asian/y',
    ])
    expect(addressesIn('')).toEqual([])
  })

  test('may have several addresses on a line, with marks and words about them', () => {
    expect(addressesIn('1. /asian/x, /asian/y\nSee /asian/z please\nthe red cover')).toEqual([
      '/asian/x',
      '/asian/y',
      'See /asian/z please',
      'the red cover',
    ])
  })

  test('is read no further than a field goes: one address more than a notice takes tells that there are too many', () => {
    const many = Array.from({ length: 100_000 }, (_, no) => no.toString(36))
    expect(addressesIn(many.join('\n'))).toHaveLength(maxAddresses + 1)
    expect(addressesIn(many.map((name) => `/asian/${name}`).join(' '))).toHaveLength(maxAddresses + 1)
    expect(addressesIn(`${'\n \t'.repeat(100_000)}/asian/x`)).toEqual([])
  })

  test('reports what the explanation names where it is of the two gravest kinds, fifty addresses at most', () => {
    const typed = { itemUrls: '/asian/x', explanation: 'It is /asian/x, and https://library.example/vip/y as well.' }
    for (const kind of ['child-safety', 'intimate-image'] as const)
      expect(reportedIn(kind, typed)).toEqual(['/asian/x', 'https://library.example/vip/y'])
    for (const kind of ['consent', 'copyright', 'privacy', 'other'] as const)
      expect(reportedIn(kind, typed)).toEqual(['/asian/x'])
    const many = Array.from({ length: 60 }, (_, no) => `/asian/${no}`).join(' ')
    expect(reportedIn('child-safety', { explanation: many })).toHaveLength(maxAddresses)
  })

  test('is kept without what cannot be seen at its ends, lines only where lines belong', () => {
    const fields = fieldsIn({
      name: '  Jane\u0007\n Owner ',
      address: '1 Main Street\r\nSpringfield\r',
      explanation: ' one\r\n\r\ntwo ',
      email: ' ',
      goodFaith: 'on',
      accuracy: 'off',
    })
    expect(fields).toMatchObject({
      name: 'Jane Owner',
      address: '1 Main Street\nSpringfield',
      explanation: 'one\n\ntwo',
      email: null,
      goodFaith: true,
      accuracy: false,
      perjury: false,
    })
  })

  test('begins a notice of another kind where consent is withdrawn', () => {
    expect(kindOf('privacy', { request: 'consent' })).toBe('consent')
    expect(kindOf('privacy', { request: 'erase' })).toBe('privacy')
    expect(kindOf('privacy', {})).toBe('privacy')
    expect(kindOf('copyright', { request: 'consent' })).toBe('copyright')
  })
})

describe('a notice cannot be taken', () => {
  const fieldsAtFault = (typed: Typed, form: NoticeForm = 'copyright') =>
    faultsOfNotice(form, typed).map(({ field }) => field)

  test('with more than a field takes, whatever of it is white space or said again', () => {
    const spaced = `one${' '.repeat(100_000)}two`
    expect(faultsOfNotice('other', { itemUrls: '/asian/x', explanation: spaced })).toEqual([
      { field: 'explanation', message: 'Shorten this to 5,000 characters or fewer.' },
    ])
    for (const itemUrls of ['/asian/x\n'.repeat(2_000), `/asian/x${' '.repeat(200_000)}`, '\n \n'.repeat(2_000)])
      expect(faultsOfNotice('other', { itemUrls, explanation: 'It is wrong.' })).toEqual([
        { field: 'itemUrls', message: 'A notice takes up to 50 addresses. Send the others in a second notice.' },
      ])
    expect(faultsOfNotice('other', { itemUrls: '/asian/x\n'.repeat(50) })).toEqual([])
  })

  test('where it names neither an entry nor what is wrong', () => {
    expect(fieldsAtFault({})).toEqual(['itemUrls'])
    expect(fieldsAtFault({ name: 'Jane', itemUrls: ' \n ', explanation: '\t' })).toEqual(['itemUrls'])
    for (const usable of [{ itemUrls: '/asian/x' }, { workDescription: 'My map.' }])
      expect(fieldsAtFault(usable)).toEqual([])
    expect(fieldsAtFault({ explanation: 'A child.' }, 'child-safety')).toEqual([])
  })

  test('where nobody can be asked, and it names no work', () => {
    for (const form of noticeForms.filter((one) => one !== 'child-safety')) {
      expect(fieldsAtFault({ explanation: 'It is wrong.', email: ' ' }, form)).toEqual(['itemUrls'])
      expect(fieldsAtFault({ explanation: 'It is wrong.', email: 'jane@readers.example' }, form)).toEqual([])
      expect(fieldsAtFault({ email: 'jane@readers.example' }, form)).toEqual(['itemUrls'])
    }
    // For an image the address may stand in the explanation.
    expect(fieldsAtFault({ explanation: 'See https://library.example/asian/x' }, 'intimate-image')).toEqual([])
  })

  test('with everything that is wrong with it at once, in the order of the elements', () => {
    expect(
      fieldsAtFault({
        name: 'x'.repeat(201),
        phone: '0\0',
        email: 'jane',
        itemUrls: Array.from({ length: maxAddresses + 1 }, (_, no) => `/asian/${no}`).join('\n'),
        explanation: 'x'.repeat(5_001),
        signature: 'x'.repeat(201),
      }),
    ).toEqual(['name', 'phone', 'email', 'itemUrls', 'explanation', 'signature'])
  })

  test.each(['jane', 'a@b.example, c@d.example', 'jane@owners', 'ja ne@owners.example', 'jane@owners.example\nx'])(
    'with the email address %j',
    (email) => {
      expect(fieldsAtFault({ email, itemUrls: '/asian/x' })).toEqual(['email'])
    },
  )

  test('with fifty addresses it can, and a character that takes two units is one', () => {
    expect(
      fieldsAtFault({ itemUrls: Array.from({ length: maxAddresses }, (_, no) => `/asian/${no}`).join('\r\n') }),
    ).toEqual([])
    expect(fieldsAtFault({ itemUrls: `/asian/${'x'.repeat(2_000)}` })).toEqual(['itemUrls'])
    expect(fieldsAtFault({ itemUrls: '/asian/x', explanation: '🌙'.repeat(5_000) })).toEqual([])
  })
})

test('the browser says of each required field that is empty what to do; another way does for an email address', () => {
  const empty = (typed: Typed) => emptyFieldsIn(fieldsOf('intimate-image'), typed).map(({ field }) => field)
  expect(empty({})).toEqual(['itemUrls', 'email', 'goodFaith', 'signature'])
  expect(empty({ phone: '+1 555 0100' })).toEqual(['itemUrls', 'goodFaith', 'signature'])
  const ofCopyright = (typed: Typed) => emptyFieldsIn(fieldsOf('copyright'), typed).map(({ field }) => field)
  expect(ofCopyright({})).toContain('email')
  for (const way of ['address', 'phone', 'email'] as const)
    expect(ofCopyright({ [way]: 'x' }).filter((name) => ['address', 'phone', 'email'].includes(name))).toEqual([])
  expect(emptyFieldsIn(fieldsOf('privacy'), {}).map(({ field }) => field)).toContain('request')
})

test('a counter-notice is taken whole or not at all', () => {
  expect(faultsOfCounterNotice({}).map(({ field }) => field)).toEqual(counterNoticeFields.map(({ name }) => name))
  const whole: Typed = {
    reference: 'n-0ab1-2cd3',
    itemUrls: '/asian/x',
    explanation: 'The work is in the public domain.',
    name: 'Paul Publisher',
    address: '2 Side Street',
    phone: '+1 555 0101',
    email: 'paul@publishers.example',
    perjury: 'on',
    jurisdiction: 'on',
    signature: 'Paul Publisher',
  }
  expect(faultsOfCounterNotice(whole)).toEqual([])
  expect(faultsOfCounterNotice({ ...whole, reference: 'N-12' })).toEqual([
    { field: 'reference', message: 'Check the reference. It looks like N-0000-0000.' },
  ])
})

test('the entry that a form is opened for is a path of this site and nothing else', () => {
  const of = (entry: string) => reportedEntry(new URLSearchParams({ entry }))
  expect(of('/asian/hong-lou-meng')).toBe('/asian/hong-lou-meng')
  for (const other of [
    '',
    'asian/x',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/a b',
    '/a\nb',
    `/${'x'.repeat(500)}`,
  ])
    expect(of(other), other).toBeUndefined()
  expect(entryQuery(new URLSearchParams({ entry: '/asian/x', more: '1' }))).toBe('?entry=%2Fasian%2Fx')
  expect(entryQuery(new URLSearchParams())).toBe('')
})
