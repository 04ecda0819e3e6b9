import { afterEach, expect, test, vi } from 'vitest'
import { editAddress, filtersInWords, readContentFilters, writeContentFilters } from './content-filters.ts'
import {
  noticeInWords,
  reasonsInWords,
  requiredSentence,
  signatureInWords,
  slotLabel,
  standingInWords,
  standingOf,
  valueInWords,
  lapseInWords,
  slotLabels,
} from './content-words.ts'
import { emptyValues } from './form-values.ts'

const labels = ['Mega', 'Gofile', 'Pixeldrain']
const now = Date.parse('2024-03-15T12:00:00Z')

afterEach(() => vi.unstubAllGlobals())

const siteIn = (timeZone: string) => vi.stubGlobal('document', { documentElement: { dataset: { timeZone } } })

test('the sentence of needed fields names the label of host A in small letters', () => {
  expect(requiredSentence(labels)).toBe('Please fill in all required fields (name, mega link, category)')
  expect(requiredSentence(['Project Gutenberg'])).toContain('(name, project gutenberg link, category)')
})

test.each([
  ['link', 'Mega'],
  ['linkMV1', 'Mega alternate'],
  ['linkG', 'Gofile'],
  ['linkMV3', 'Gofile alternate'],
  ['linkP', 'Pixeldrain'],
  ['linkMV2', 'Pixeldrain alternate'],
  ['link2', 'Second link'],
  ['linkMV4', 'Another alternate'],
] as const)('the field %s is labelled %s', (slot, label) => {
  expect(slotLabel(slot, labels)).toBe(label)
})

test('an attestation names who recorded the rights, on a day of the site', () => {
  const at = '2024-03-15T23:30:00Z'
  siteIn('Asia/Tokyo')
  expect(signatureInWords({ by: '1', name: 'Jane Reader', at })).toBe('Jane Reader on March 16, 2024')
  siteIn('UTC')
  expect(signatureInWords({ by: '1', name: null, at })).toBe('a deleted account on March 15, 2024')
  expect(signatureInWords({ by: 'operator', name: null, at })).toBe('the command line on March 15, 2024')
})

test('a published item ahead of its date says for when, in days of the site', () => {
  const item = { status: 'published', restriction: null, postDate: '2024-03-16T23:30:00Z' } as const
  siteIn('Asia/Tokyo')
  expect(standingInWords(item, now)).toBe('Scheduled for March 17, 2024')
  siteIn('UTC')
  expect(standingInWords(item, now)).toBe('Scheduled for March 16, 2024')
  expect(standingInWords({ ...item, postDate: '2024-03-15T11:59:00Z' }, now)).toBe('Published')
  expect(standingInWords({ ...item, status: 'draft' }, now)).toBe('Draft')
})

test('an entry that a notice is about says that, and nothing of the notice', () => {
  expect(noticeInWords({ heldBy: null, status: 'restricted' })).toBeUndefined()
  expect(noticeInWords({ heldBy: 'notice', status: 'removed' })).toBe('A notice about this entry is open.')
  expect(noticeInWords({ heldBy: 'decision', status: 'restricted' })).toContain('keeps this entry off the site')
  expect(noticeInWords({ heldBy: null, status: 'removed' })).toContain('has removed this entry')
})

test('of several reasons the first is said, and how many more there are', () => {
  expect(reasonsInWords([])).toBeUndefined()
  expect(reasonsInWords(['One.'])).toBe('One.')
  expect(reasonsInWords(['One.', 'Two.'])).toBe('One. And one more reason.')
  expect(reasonsInWords(['One.', 'Two.', 'Three.'])).toBe('One. And 2 more reasons.')
})

test('values are compared in words', () => {
  const values = { ...emptyValues('western'), 'rights.basis': 'license', people: 'none' }
  expect(valueInWords(values, 'rights.basis')).toBe('Licence')
  expect(valueInWords(values, 'rights.permitsDownload')).toBe('No')
  expect(valueInWords(values, 'name')).toBe('Empty')
  expect(valueInWords(values, 'consents')).toBe('None')
})

test('the filters stand in the address and are read from it, and what nobody offers is not', () => {
  const filters = { section: 'vip', search: 'a & b', category: 'Film', status: 'draft' } as const
  expect(readContentFilters(`?${writeContentFilters(filters)}`)).toEqual(filters)
  const usual = readContentFilters('?tab=west&status=lost')
  expect(usual).toEqual({ section: 'all', search: '', category: '', status: '' })
  expect(writeContentFilters(usual)).toBe('')
})

test('everything that the filters find is edited under an address that always names the tab', () => {
  const all = readContentFilters('')
  expect(editAddress(all)).toBe('/admin/bulk-edit?tab=all')
  const some = { ...all, search: 'a & b', status: 'draft' } as const
  expect(editAddress(some)).toBe('/admin/bulk-edit?search=a+%26+b&status=draft&tab=all')
  expect(readContentFilters(editAddress(some).split('?')[1] ?? '')).toEqual(some)
  expect(filtersInWords({ ...some, section: 'vip' })).toBe('VIP, ‘a & b’, Draft')
  expect(filtersInWords(some)).toBe('‘a & b’, Draft')
})

test.each([
  ['published', null, '2024-03-15T11:00:00Z', 'published'],
  ['published', null, '2024-03-15T13:00:00Z', 'scheduled'],
  ['draft', null, '2024-03-15T13:00:00Z', 'draft'],
  ['restricted', null, '2024-03-15T11:00:00Z', 'hidden'],
  ['restricted', 'notice', '2024-03-15T11:00:00Z', 'hidden'],
  ['restricted', 'rights_lapsed', '2024-03-15T11:00:00Z', 'lapsed'],
  ['restricted', 'consent', '2024-03-15T11:00:00Z', 'lapsed'],
  ['restricted', 'gate', '2024-03-15T11:00:00Z', 'lapsed'],
  ['removed', null, '2024-03-15T13:00:00Z', 'removed'],
] as const)('an entry that is %s (%s) for %s is marked as %s', (status, restriction, postDate, standing) => {
  expect(standingOf({ status, restriction, postDate }, now)).toBe(standing)
})

test('until when rights hold is told by their last day', () => {
  siteIn('UTC')
  expect(lapseInWords('2027-03-02T00:00:00.000Z')).toBe('until March 1, 2027')
  siteIn('Asia/Tokyo')
  expect(lapseInWords('2027-03-01T15:00:00.000Z')).toBe('until March 1, 2027')
})

test('a link is labelled by the host to which it leads, an empty slot by its place', () => {
  const fileHosts = ['mega.nz', 'gofile.io', 'pixeldrain.com'].map((domain, place) => ({
    label: ['Mega', 'Gofile', 'Pixeldrain'][place] ?? '',
    domains: [domain],
  }))
  expect(slotLabels(undefined, fileHosts)).toMatchObject({ link: 'Mega', linkMV1: 'Mega alternate', linkG: 'Gofile' })
  const stored = { link: 'https://www.gutenberg.org/1', linkG: 'https://gutenberg.org/2', linkP: 'https://mega.nz/3' }
  expect(slotLabels(stored, fileHosts)).toMatchObject({
    link: 'gutenberg.org',
    linkMV1: 'Mega alternate',
    linkG: 'gutenberg.org 2',
    linkP: 'Mega',
    link2: 'Second link',
  })
})
