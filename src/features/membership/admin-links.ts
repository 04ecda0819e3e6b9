import type { AdminLink } from '../accounts/parts/admin-link.ts'

export const membershipAdminLinks: readonly AdminLink[] = [
  {
    to: '/admin/billing',
    menu: { label: 'Billing', order: 40 },
    nav: { label: 'Billing', group: 'members', order: 50 },
  },
]
