import type { AdminLink } from './parts/admin-link.ts'

export const accountsAdminLinks: readonly AdminLink[] = [
  { to: '/admin/texts', nav: { label: 'Texts', group: 'site', order: 20 } },
]
