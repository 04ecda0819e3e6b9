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
    { label: 'View Requests', to: '/admin/requests' },
    { label: 'View Stats', to: '/admin/stats' },
    { label: 'Admin Settings', to: '/admin/settings' },
    { label: 'Billing', to: '/admin/billing' },
  ])
})

test('the navigation has every page that a feature lists, each once, in its group and order', () => {
  expect(adminNav.map(({ label, links }) => [label, links.map((link) => link.label)])).toEqual([
    ['Overview', ['Home', 'Statistics', 'Audit log']],
    ['Content', ['Content', 'Bulk edit', 'Categories', 'Import', 'Gateway', 'Links']],
    ['Members', ['VIP users', 'People', 'Billing']],
    ['Inbox', ['Requests', 'Support']],
    ['Site', ['Texts']],
  ])
  const paths = adminNav.flatMap(({ links }) => links.map(({ to }) => to))
  expect(paths).toEqual([...new Set(paths)])
})

test('every link of the administration leads to a page', () => {
  const paths = routes.flatMap(({ path, children = [] }) => [path, ...children.map((child) => child.path)])
  for (const { to } of [...adminLinksIn('header'), ...adminLinksIn('menu'), ...adminNav.flatMap(({ links }) => links)])
    expect(paths).toContain(to.slice(1))
})
