import type { AdminLink } from '../office/parts/admin-link.ts'

export const accountAdminLinks: readonly AdminLink[] = [
  { to: '/admin/people', nav: { label: 'People', group: 'members', order: 45 } },
  { to: '/admin/emails', nav: { label: 'Emails', group: 'overview', order: 45 } },
]
