import type { AdminLink } from '../accounts/parts/admin-link.ts'

export const catalogueAdminLinks: readonly AdminLink[] = [{ to: '/admin/links', menu: { label: 'Links', order: 50 } }]
