import { expect, test } from 'vitest'
import { aReportedEntry } from '../../../../../tests/harness/desk-samples.ts'
import { comparedFields } from './entry-differences.ts'

const hosts = ['Mega', 'Gofile', 'Pixeldrain']

test('an entry as it was reported stands beside the entry as it is, and what differs is marked', () => {
  const reported = aReportedEntry({ status: 'published', links: [{ slot: 'link', address: 'https://mega.nz/one' }] })
  const now = aReportedEntry({
    status: 'restricted',
    links: [
      { slot: 'link', address: 'https://mega.nz/two' },
      { slot: 'linkMV3', address: 'https://gofile.io/d/x' },
    ],
    rights: { ...reported.rights, holder: null },
  })
  const fields = comparedFields(reported, now, hosts)
  expect(fields.filter(({ isChanged }) => isChanged)).toEqual([
    { label: 'Status', reported: 'Published', now: 'Taken off the site', isChanged: true },
    { label: 'Mega', reported: 'https://mega.nz/one', now: 'https://mega.nz/two', isChanged: true },
    { label: 'Gofile alternate', reported: null, now: 'https://gofile.io/d/x', isChanged: true },
    { label: 'Holder', reported: 'The heirs of the author', now: null, isChanged: true },
  ])
  expect(fields.find(({ label }) => label === 'Rights')).toMatchObject({ reported: 'Public domain', isChanged: false })
  // Nowhere given: no line.
  expect(fields.map(({ label }) => label)).not.toContain('Licence')
})

test('an entry that is gone, or was attached later, has no changes', () => {
  const entry = aReportedEntry()
  for (const fields of [comparedFields(entry, null, hosts), comparedFields(null, entry, hosts)]) {
    expect(fields.length).toBeGreaterThan(5)
    expect(fields.filter(({ isChanged }) => isChanged)).toEqual([])
  }
  expect(comparedFields(null, null, hosts)).toEqual([])
})

test('words that this page does not know are shown as they are', () => {
  const entry = aReportedEntry({ contentType: 'radio', links: [{ slot: 'link9', address: 'https://mega.nz/nine' }] })
  const labels = comparedFields(entry, entry, hosts)
  expect(labels.find(({ label }) => label === 'Type')?.now).toBe('radio')
  expect(labels.find(({ label }) => label === 'link9')?.now).toBe('https://mega.nz/nine')
})
