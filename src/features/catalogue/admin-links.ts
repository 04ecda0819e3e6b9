import type { AdminLink } from '../accounts/parts/admin-link.ts'

export const catalogueAdminLinks: readonly AdminLink[] = [
  { to: '/admin/gateway', nav: { label: 'Gateway', order: 60 } },
  { to: '/admin/links', nav: { label: 'Links', order: 70 } },
]
