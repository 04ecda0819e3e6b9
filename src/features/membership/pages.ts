import { adminShells, type Page } from '../../http/pages/page.ts'

const adminShell = adminShells('features/membership')

export const membershipPages: readonly Page[] = [
  { kind: 'public', path: '/plans', file: 'features/membership/pages/plans.tsx' },
  { kind: 'public', path: '/terms', id: 'terms', file: 'features/membership/pages/legal.tsx' },
  { kind: 'public', path: '/privacy', id: 'privacy', file: 'features/membership/pages/legal.tsx' },
  { kind: 'shell', access: 'member', path: '/success', file: 'features/membership/pages/success.tsx' },
  { kind: 'public', path: '/cancel', file: 'features/membership/pages/cancel.tsx' },
  adminShell('/admin/billing', 'admin/pages/billing.tsx'),
  adminShell('/admin/billing/:id', 'admin/pages/member-billing.tsx'),
  adminShell('/admin-vip-users', 'vips/pages/vip-users.tsx'),
  adminShell('/admin-vip-disabled', 'vips/pages/vip-disabled.tsx'),
  adminShell('/admin/people/import', 'transfer/pages/import-members.tsx'),
]
