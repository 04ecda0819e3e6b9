import { expect, test } from 'vitest'
import routes from '../../routes.ts'
import { adminLinksIn } from './admin-links.ts'

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

test('the navigation of the administration has every page that a feature lists, each once', () => {
  expect(adminLinksIn('nav').map(({ label }) => label)).toEqual([
    'Statistics',
    'Content',
    'Bulk edit',
    'Categories',
    'Import',
    'Gateway',
    'Links',
    'VIP users',
    'Billing',
    'Requests',
  ])
})

test('every link of the administration leads to a page', () => {
  const paths = routes.flatMap(({ path, children = [] }) => [path, ...children.map((child) => child.path)])
  for (const { to } of [...adminLinksIn('header'), ...adminLinksIn('menu'), ...adminLinksIn('nav')])
    expect(paths).toContain(to.slice(1))
})
