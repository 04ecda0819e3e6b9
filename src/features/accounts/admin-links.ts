import type { AdminLink } from './parts/admin-link.ts'

export const accountAdminLinks: readonly AdminLink[] = [
  { to: '/admin/people', nav: { label: 'People', group: 'members', order: 45 } },
]
