import { describe, expect, test } from 'vitest'
import { elementLabel, missingElements, neededElements, type NoticeFields } from './notice-elements.ts'
import { noticeKinds } from './notice-kinds.ts'

const nothing: NoticeFields = {
  name: null,
  organization: null,
  address: null,
  phone: null,
  email: null,
  workDescription: null,
  explanation: null,
  lawCited: null,
  goodFaith: false,
  accuracy: false,
  perjury: false,
  signature: null,
}
const everything: NoticeFields = {
  name: 'Jane Owner',
  organization: 'Owner & Daughters',
  address: '1 Main Street',
  phone: '+1 555 0100',
  email: 'jane@owners.example',
  workDescription: 'A map of the moon.',
  explanation: 'It is mine.',
  lawCited: '17 U.S.C. 106',
  goodFaith: true,
  accuracy: true,
  perjury: true,
  signature: 'Jane Owner',
}

describe.each(noticeKinds)('a notice of the kind %s', (kind) => {
  test('needs everything that its law asks, and is complete with it', () => {
    expect(missingElements(kind, nothing, 0)).toEqual(neededElements[kind])
    expect(missingElements(kind, everything, 1)).toEqual([])
    expect(missingElements(kind, everything, 0)).toEqual(['itemUrls'])
  })

  test('names each of its elements', () => {
    for (const name of neededElements[kind]) expect(elementLabel(kind, name)).toMatch(/^[A-Z]/)
  })
})

test('a copyright notice needs the six elements of 17 U.S.C. 512(c)(3)', () => {
  expect(missingElements('copyright', { ...everything, organization: null, explanation: null }, 1)).toEqual([])
  const without = (changes: Partial<NoticeFields>) => missingElements('copyright', { ...everything, ...changes }, 1)
  expect(without({ signature: null })).toEqual(['signature'])
  expect(without({ workDescription: null })).toEqual(['workDescription'])
  // One way to reach the sender is enough, whichever it is.
  const nowhere = { address: null, phone: null, email: null }
  for (const way of ['address', 'phone', 'email'] as const)
    expect(without({ ...nowhere, [way]: everything[way] }), way).toEqual([])
  expect(without({ ...nowhere, name: null })).toEqual(['name', 'email'])
  expect(elementLabel('copyright', 'email')).toBe('An email address, a telephone number or a postal address')
  expect(without({ goodFaith: false })).toEqual(['goodFaith'])
  expect(without({ accuracy: false, perjury: false })).toEqual(['accuracy', 'perjury'])
})

test('a notice about an image needs no words, and its sender is reached by email or by telephone', () => {
  const by = (changes: Partial<NoticeFields>) =>
    missingElements(
      'intimate-image',
      { ...everything, name: null, email: null, phone: null, explanation: null, ...changes },
      1,
    )
  expect(by({ email: 'jane@owners.example' })).toEqual([])
  expect(by({ phone: '+1 555 0100' })).toEqual([])
  expect(by({})).toEqual(['email'])
  expect(elementLabel('intimate-image', 'email')).toBe('An email address or a telephone number')
})

test('what is said of a child, or of something else illegal, needs no name', () => {
  for (const kind of ['child-safety', 'other'] as const)
    expect(missingElements(kind, { ...everything, name: null, email: null, lawCited: null }, 1)).toEqual([])
})
