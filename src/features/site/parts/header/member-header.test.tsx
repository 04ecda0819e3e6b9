import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { fromHtml, rendered } from '../../../../../tests/harness/rendered.ts'
import type { Access } from '../../../../browser/session-store.ts'
import { UsualHeader, VipHeader } from './member-header.tsx'
import { ThemeProvider } from '../theme.tsx'
import { UsualStanding, usualGroups, vipGroups, VipStanding } from './user-menu.tsx'
import { VisitorHeader } from './visitor-header.tsx'

/* The links and words of each caller's header (docs/spec/pages.md#headers). Its menus with keys and a finger are a journey. */

const session = { token: 'token', name: 'Jane Reader', email: 'jane@readers.example' }
const facts = {
  brandName: 'Daybook',
  communityUrl: 'https://readers.example/',
  vipCommunityUrl: 'https://vips.example/',
}
const known = (roles: Partial<Access>): Access => ({ state: 'known', isVip: false, isAdmin: false, ...roles })
const [member, vip, admin] = [known({}), known({ isVip: true }), known({ isAdmin: true })]

function headerAt(address: string, header: ReactNode) {
  const router = createMemoryRouter([{ id: 'root', path: '*', element: header }], {
    initialEntries: [address],
    hydrationData: { loaderData: { root: facts } },
  })
  const { html } = fromHtml(
    renderToString(
      <ThemeProvider>
        <RouterProvider router={router} />
      </ThemeProvider>,
    ),
  )
  const links = (part: RegExp): string[] =>
    [...(part.exec(html)?.[0] ?? '').matchAll(/<a\b[^>]*>([\s\S]*?)<\/a>/g)].map(([, words = '']) =>
      fromHtml(words).text.replace(' (opens in a new tab)', ''),
    )
  return {
    html,
    links: links(/<nav[^>]* aria-label="Main">[\s\S]*?<\/nav>/),
    mobile: links(/<nav aria-label="Menu">[\s\S]*?<\/nav>/),
    brand: /class="brand-section small-caps">([^<]*)</.exec(html)?.[1],
    vipAccess: [...html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(?:(?!<\/a>)[\s\S])*VIP ACCESS/g)].map(([, to]) => to),
  }
}

const usual = (address: string, access: Access) => headerAt(address, <UsualHeader session={session} access={access} />)
const ofVips = (address: string, access: Access) =>
  headerAt(address, <VipHeader session={session} access={access} planType={undefined} />)

test('The header of a visitor leads to the plans, to the login and to the registration', () => {
  const { links, mobile, vipAccess } = headerAt('/western', <VisitorHeader />)
  expect(links).toEqual(['Home', 'Banned', 'Unknown', 'Plans', 'Discord', 'Login', 'Register'])
  expect(mobile).toEqual(links)
  expect(new Set(vipAccess)).toEqual(new Set(['/plans']))
})

test('The header of a free member leads to the plans, and names the shelf', () => {
  const { links, mobile, vipAccess, brand } = usual('/western', member)
  expect(links).toEqual(['Home', 'Banned', 'Unknown', 'Plans', 'Discord'])
  expect(mobile).toEqual([...links, 'Requests', 'Your Account'])
  expect(new Set(vipAccess)).toEqual(new Set(['/plans']))
  expect(brand).toBe('WESTERN')
  // Only a guest is told that they are on the page of the plans.
  expect(usual('/plans', member).brand).toBeUndefined()
  expect(headerAt('/plans', <VisitorHeader />).brand).toBe('PLANS')
})

test('The header of a VIP leads to their content, and in their area to its parts', () => {
  const { links, vipAccess, brand } = usual('/banned', vip)
  expect(links).toEqual(['Home', 'Banned', 'Unknown', 'VIP Content', 'Discord'])
  expect(new Set(vipAccess)).toEqual(new Set(['/vip']))
  expect(brand).toBe('BANNED')
  const within = ofVips('/vip-western', vip)
  expect(within.brand).toBe('VIP WESTERN')
  expect(within.links).toEqual(['VIP Home', 'VIP Asian', 'VIP Western', 'VIP Banned', 'VIP Unknown', 'VIP Discord'])
  expect(within.mobile).toEqual([...within.links, 'Requests', 'My VIP Account'])
})

test('The header of an administrator leads to the administration too', () => {
  const { links, html, vipAccess } = usual('/unknown', admin)
  const own = ['Admin Panel', 'Statistics', 'Requests']
  expect(links).toEqual(['Home', 'Banned', 'Unknown', 'VIP Content', ...own, 'Discord'])
  for (const [name, path] of [
    ['Admin Panel', '/admin/settings'],
    ['Statistics', '/admin/stats'],
    ['Requests', '/admin/requests'],
  ])
    expect(html).toMatch(new RegExp(`<a[^>]* href="${path}"[^>]*>${name}</a>`))
  expect(new Set(vipAccess)).toEqual(new Set(['/vip']))
  expect(ofVips('/vip', admin).brand).toBe('VIP')
})

test('The closed chip of a member says how they stand', () => {
  for (const [access, words] of [
    [member, 'Free'],
    [vip, 'VIP'],
    [admin, 'Admin'],
    [{ ...member, state: 'unknown' }, ''],
  ] as const)
    expect(usual('/western', access).html).toContain(`<span class="user-standing">${words}</span>`)
})

test('The menu of each caller leads to what they may use', () => {
  const labels = (groups: ReturnType<typeof usualGroups>): string[] =>
    groups.flatMap(({ label, items }) => [...(label === undefined ? [] : [label]), ...items.map((item) => item.label)])
  const leave = (): void => undefined
  const of = (access: Access) => labels(usualGroups(access, facts.communityUrl, leave))
  const inVipArea = (access: Access) => labels(vipGroups(access, facts.communityUrl, leave))
  const rest = ['Saved entries', 'Requests', 'Discord']
  const controls = ['Administration', 'View Requests', 'View Stats', 'Admin Settings', 'Billing']
  expect(of(member)).toEqual(['Your Account', ...rest, 'Logout'])
  expect(of(vip)).toEqual(['Your Account', 'VIP Content', ...rest, 'Logout'])
  expect(of(admin)).toEqual(['Your Account', 'VIP Content', ...rest, 'Admin Controls', ...controls, 'Logout'])
  const parts = ['VIP Account', 'VIP Asian', 'VIP Western']
  expect(inVipArea(vip)).toEqual([...parts, ...rest, 'Logout'])
  expect(inVipArea(admin)).toEqual([...parts, ...rest, 'ADMIN CONTROLS', ...controls, 'Logout'])
})

test('The open menu says in words what somebody is', () => {
  const usualWords = (access: Access) => rendered(<UsualStanding access={access} />).text
  expect(usualWords(member)).toBe('Free Member')
  expect(usualWords(vip)).toBe('VIP Member')
  expect(usualWords(admin)).toBe('Free Member Admin')
  const words = (access: Access, planType?: 'annual' | 'monthly') =>
    rendered(<VipStanding access={access} planType={planType} />).text
  expect(words(vip)).toBe('VIP MEMBER')
  expect(words(vip, 'monthly')).toBe('VIP MEMBER')
  expect(words(vip, 'annual')).toBe('VIP PREMIUM')
  expect(words(admin)).toBe('ADMIN')
  expect(words(known({ isVip: true, isAdmin: true }))).toBe('VIP MEMBER ADMIN')
})
