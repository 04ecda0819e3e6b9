import type { AdminLink } from '../office/parts/admin-link.ts'

export const membershipAdminLinks: readonly AdminLink[] = [
  {
    to: '/admin-vip-users',
    nav: { label: 'VIP users', group: 'members', order: 40, above: ['/admin-vip-disabled'] },
  },
  {
    to: '/admin/billing',
    menu: { label: 'Billing', order: 40 },
    nav: { label: 'Billing', group: 'members', order: 50 },
  },
]
