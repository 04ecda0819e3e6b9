import type { AdminLink } from './parts/admin-link.ts'

export const accountAdminLinks: readonly AdminLink[] = [
  { to: '/admin/people', nav: { label: 'People', group: 'members', order: 45 } },
  { to: '/admin/texts', nav: { label: 'Texts', group: 'site', order: 20 } },
]
