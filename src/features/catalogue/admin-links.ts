import type { AdminLink } from '../office/parts/admin-link.ts'

export const catalogueAdminLinks: readonly AdminLink[] = [
  {
    to: '/admin/settings',
    menu: { label: 'Admin Settings', order: 30 },
    header: { label: 'Admin Panel', order: 10 },
    nav: {
      label: 'Content',
      group: 'content',
      order: 10,
      above: ['/admin/calendar', '/admin/duplicates', '/admin/bulk-edit', '/admin/preview'],
    },
  },
  { to: '/admin/categories', nav: { label: 'Categories', group: 'content', order: 30 } },
  { to: '/admin/prohibited-names', nav: { label: 'Prohibited names', group: 'content', order: 35 } },
  { to: '/admin/import', nav: { label: 'Import', group: 'content', order: 40 } },
  { to: '/admin/rights', nav: { label: 'Rights', group: 'content', order: 50 } },
  { to: '/admin/gateway', nav: { label: 'Gateway', group: 'content', order: 60 } },
  { to: '/admin/links', nav: { label: 'Links', group: 'content', order: 70 } },
]
