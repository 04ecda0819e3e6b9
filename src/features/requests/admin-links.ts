import type { AdminLink } from '../office/parts/admin-link.ts'

export const requestsAdminLinks: readonly AdminLink[] = [
  {
    to: '/admin/requests',
    menu: { label: 'View Requests', order: 10 },
    header: { label: 'Requests', order: 30 },
    nav: { label: 'Requests', group: 'inbox', order: 30 },
  },
  { to: '/admin/support', nav: { label: 'Support', group: 'inbox', order: 40 } },
]
