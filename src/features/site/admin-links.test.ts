import { expect, test } from 'vitest'
import routes from '../../routes.ts'
import { adminLinksIn, adminNav } from './admin-links.ts'

test('the header and the account menu lead administrators to the pages that the features list, in their order', () => {
  expect(adminLinksIn('header')).toEqual([
    { label: 'Admin Panel', to: '/admin/settings' },
    { label: 'Statistics', to: '/admin/stats' },
    { label: 'Requests', to: '/admin/requests' },
  ])
  expect(adminLinksIn('menu')).toEqual([
    { label: 'Administration', to: '/admin' },
    { label: 'View Requests', to: '/admin/requests' },
    { label: 'View Stats', to: '/admin/stats' },
    { label: 'Admin Settings', to: '/admin/settings' },
    { label: 'Billing', to: '/admin/billing' },
  ])
})

test('the navigation has every page that a feature lists, each once, in its group and order', () => {
  expect(adminNav.map(({ label, links }) => [label, links.map((link) => link.label)])).toEqual([
    ['Overview', ['Home', 'Statistics', 'Audit log', 'Jobs', 'Emails']],
    ['Content', ['Content', 'Categories', 'Prohibited names', 'Import', 'Rights', 'Gateway', 'Links']],
    ['Members', ['VIP users', 'People', 'Billing']],
    ['Inbox', ['Notices', 'Requests', 'Support']],
    ['Site', ['Appearance', 'Texts', 'Settings']],
  ])
  const paths = adminNav.flatMap(({ links }) => links.map(({ to }) => to))
  expect(paths).toEqual([...new Set(paths)])
})

test('every link of the administration leads to a page', () => {
  const paths = routes.flatMap(({ path, children = [] }) => [path, ...children.map((child) => child.path)])
  for (const { to } of [...adminLinksIn('header'), ...adminLinksIn('menu'), ...adminNav.flatMap(({ links }) => links)])
    expect(paths).toContain(to.slice(1))
})

test('one navigation leads to the screens of the administration that the specification names', () => {
  const paths = adminNav.flatMap(({ links }) => links.map(({ to }) => to))
  expect(paths).toEqual(
    expect.arrayContaining([
      '/admin',
      '/admin/settings',
      '/admin/stats',
      '/admin/requests',
      '/admin-vip-users',
      '/admin/people',
      '/admin/audit',
      '/admin/jobs',
      '/admin/categories',
      '/admin/prohibited-names',
      '/admin/import',
      '/admin/notices',
      '/admin/support',
      '/admin/links',
      '/admin/rights',
      '/admin/gateway',
      '/admin/billing',
    ]),
  )
})

test('every page of the administration is in the navigation, or belongs to one that is', () => {
  const all = routes.flatMap(({ path, children = [] }) => [path, ...children.map((child) => child.path)])
  const ofAdministration = all.flatMap((path) => (path !== undefined && /^admin\b/.test(path) ? `/${path}` : []))
  expect(ofAdministration.length).toBeGreaterThan(15)
  const linked = new Set(adminNav.flatMap(({ links }) => links.map(({ to }) => to)))
  const apart = ofAdministration.filter((path) => !linked.has(path))
  expect(apart.toSorted()).toEqual([
    // From the list of VIP users, of members, of billing, and of notices.
    '/admin-vip-disabled',
    '/admin/answer-templates',
    '/admin/billing/:id',
    // From the content, and the preview from the form of an entry.
    '/admin/bulk-edit',
    '/admin/calendar',
    // From the banner of the demo.
    '/admin/demo',
    '/admin/duplicates',
    '/admin/notices/:reference',
    '/admin/people/:id',
    '/admin/people/import',
    '/admin/preview/:id',
  ])
})
