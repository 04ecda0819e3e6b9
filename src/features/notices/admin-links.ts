import type { AdminLink } from '../office/parts/admin-link.ts'

export const noticesAdminLinks: readonly AdminLink[] = [
  { to: '/admin/notices', nav: { label: 'Notices', group: 'inbox', order: 10, above: ['/admin/answer-templates'] } },
]
