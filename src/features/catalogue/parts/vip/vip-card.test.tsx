import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import type { VipItem } from '../../item/item-with-links-schema.ts'
import type { VipPage } from '../../item/vip-page.ts'
import { VipCard } from './vip-card.tsx'

const none = { link: null, link2: null, linkG: null, linkP: null }
const item: VipItem = {
  id: '018bcfe5-0000-7000-8000-000000000000',
  name: 'Leviathan',
  slug: 'leviathan',
  category: 'VIP Banned',
  contentType: 'vip-banned',
  region: 'western',
  postDate: '2024-03-05T23:30:00.000Z',
  createdAt: '2024-03-05T23:30:00.000Z',
  updatedAt: '2024-03-05T23:30:00.000Z',
  rating: 'general',
  ...none,
  linkMV1: null,
  linkMV2: null,
  linkMV3: null,
  linkMV4: null,
  rights: { basis: 'public_domain', holder: null, licence: null },
  health: {},
}

const drawn = (page: VipPage, more: Partial<VipItem> = {}) =>
  rendered(
    <VipCard
      item={{ ...item, ...more }}
      page={page}
      timeZone="Asia/Tokyo"
      fileHosts={[
        { label: 'Mega', domains: ['mega.nz'] },
        { label: 'Gofile', domains: ['gofile.io'] },
        { label: 'Pixeldrain', domains: ['pixeldrain.com'] },
      ]}
      back={null}
    />,
  )
const card = (page: VipPage, more: Partial<VipItem> = {}) => drawn(page, more).text

test.each([
  ['vip-asian', 'VIP ASIAN EXCLUSIVE', 'Enjoy instant access to premium Western content as a VIP member.'],
  ['vip', 'VIP EXCLUSIVE', 'Enjoy instant access to premium Western content as a VIP member.'],
  ['vip-banned', 'VIP BANNED EXCLUSIVE', "Access exclusive banned content that's only available to VIP members."],
  ['vip-unknown', 'VIP UNKNOWN EXCLUSIVE', "Access exclusive unknown content that's only available to VIP members."],
] as const)('on %s it has the badge %j and says what a membership gives', (page, badge, benefits) => {
  const text = card(page)
  expect(text).toContain(badge)
  expect(text).toContain(`Download Options ${benefits}`)
})

test('the date is that of the site, in its long form, and the region is said on banned and unknown alone', () => {
  expect(card('vip-banned')).toContain('Entered March 6, 2024 Category VIP Banned Region WESTERN Rights Public domain')
  expect(card('vip-western')).not.toContain('Region')
})

test('an entry of early access says when it opens', () => {
  const text = card('vip', { contentType: 'western', vipFirst: true })
  expect(text).toContain('Opens March 6, 2024')
  expect(text).not.toContain('Entered')
})

test('each slot that holds a link has a button with its name, and without any the card says so', () => {
  const links = { link: 'https://mega.nz/a', linkMV1: 'https://mega.nz/b', linkMV3: 'https://elsewhere.example/c' }
  const text = card('vip-western', { ...links, link2: 'https://mega.nz/never', linkMV4: 'https://mega.nz/never' })
  expect([...text.matchAll(/Copy link of ([\w.]+(?: alternate)?)/g)].map(([, label]) => label)).toEqual([
    'Mega',
    'Mega alternate',
    'elsewhere.example alternate',
  ])
  expect(text).toContain('Opens elsewhere.example in a new tab')
  expect(text).not.toContain('never')
  expect(card('vip-western')).toContain('No download is offered for this entry at the moment.')
})

test('each button says how its check went, and a line how many mirrors work', () => {
  const checkedAt = '2024-03-04T20:00:00.000Z'
  const text = card('vip-western', {
    link: 'https://mega.nz/a',
    linkG: 'https://gofile.io/b',
    health: { link: { state: 'ok', checkedAt }, linkG: { state: 'dead', checkedAt } },
  })
  expect(text).toContain('1 of 2 mirrors working, checked on March 5, 2024')
  expect(text).toMatch(/Mega: Working Report a dead link/)
  expect(text).toMatch(/Gofile: Dead Report a dead link/)
  expect(card('vip-western', { link: 'https://mega.nz/a' })).not.toContain('checked')
})

test('its last link is the way to report it, by its own address', () => {
  expect(drawn('vip-banned').hrefs.at(-1)).toBe('/report?entry=/vip-banned/leviathan')
})
