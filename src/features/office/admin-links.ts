import type { AdminLink } from './parts/admin-link.ts'

export const officeAdminLinks: readonly AdminLink[] = [
  { to: '/admin/audit', nav: { label: 'Audit log', group: 'overview', order: 30 } },
  { to: '/admin/texts', nav: { label: 'Texts', group: 'site', order: 20 } },
]
