import { expect, test, vi } from 'vitest'
import type { ItemForAdmin } from '../../editing/content-schema.ts'
import { audienceInWords, detailOf, vipItemOf } from './preview-of.ts'

const site = { timeZone: 'UTC', fileHosts: [{ label: 'Mega', domains: ['mega.nz'] }] }
const draft = {
  name: 'A draft',
  postDate: '2026-11-29T10:00:00.000Z',
  language: ['en'],
  link: 'https://mega.nz/file/1',
  linkFormat: 'EPUB',
  linkG: 'https://www.files.example/2',
  rights: { basis: null, holder: null, licence: 'CC0-1.0' },
} as unknown as ItemForAdmin

test('a draft has one download a host, straight to its file, and nothing is said of checks', () => {
  const detail = detailOf(draft, { provider: 'local', waitSeconds: 5 }, site)
  expect(detail.downloads).toMatchObject([
    { slot: 'link', url: 'https://mega.nz/file/1', label: 'Mega', isGated: true, format: 'EPUB', state: 'unknown' },
    { slot: 'linkG', url: 'https://www.files.example/2', label: 'files.example', isGated: false },
  ])
  expect(detail).toMatchObject({
    day: '2026-11-29',
    languages: ['English'],
    mirrors: { total: 2, checkedAt: null, checkedDay: null },
    rights: { basis: 'Not recorded yet', licenceUrl: 'https://spdx.org/licenses/CC0-1.0.html' },
  })
  expect(detailOf(draft, { provider: 'off', waitSeconds: 0 }, site).downloads[0]?.isGated).toBe(false)
})

test('so has a draft for VIPs, in each of its slots', () => {
  expect(vipItemOf(draft)).toMatchObject({ link: draft.link, link2: null, linkMV4: null, health: {} })
})

test.each([
  ['draft', 'asian', '2026-11-01', 0, 'Draft: nobody but administrators sees it now.'],
  ['published', 'asian', '2026-11-01', 0, 'It is published, and looks like this.'],
  ['published', 'vip-asian', '2026-11-01', 0, 'Published: VIPs alone see it now.'],
  ['published', 'asian', '2026-12-02', 0, 'Scheduled for December 2, 2026: nobody but administrators sees it now.'],
  ['published', 'asian', '2026-12-02', 3, 'Scheduled for December 2, 2026: VIPs alone see it now.'],
  ['published', 'asian', '2026-12-03', 3, 'Scheduled for December 3, 2026: nobody but administrators sees it now.'],
  ['published', 'vip-asian', '2026-12-02', 3, 'Scheduled for December 2, 2026: nobody but administrators sees it now.'],
] as const)(
  'a %s entry of %s for %s with %i days of early access',
  (status, contentType, day, earlyAccessDays, words) => {
    const item = { status, contentType, postDate: `${day}T00:00:00.000Z`, restriction: null }
    const now = Date.parse('2026-11-29T12:00:00Z')
    vi.stubGlobal('document', { documentElement: { dataset: { timeZone: 'UTC' } } })
    expect(audienceInWords(item, { now, earlyAccessDays })).toBe(words)
    vi.unstubAllGlobals()
  },
)
