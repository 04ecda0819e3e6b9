import type { AdminLink } from '../accounts/parts/admin-link.ts'

export const catalogueAdminLinks: readonly AdminLink[] = [
  { to: '/admin/gateway', nav: { label: 'Gateway', group: 'content', order: 60 } },
  { to: '/admin/links', nav: { label: 'Links', group: 'content', order: 70 } },
]
