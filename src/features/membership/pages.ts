import type { Page } from '../../http/pages/page.ts'

export const membershipPages: readonly Page[] = [
  { kind: 'public', path: '/plans', file: 'features/membership/pages/plans.tsx' },
  { kind: 'public', path: '/terms', id: 'terms', file: 'features/membership/pages/legal.tsx' },
  { kind: 'public', path: '/privacy', id: 'privacy', file: 'features/membership/pages/legal.tsx' },
  { kind: 'shell', access: 'member', path: '/success', file: 'features/membership/pages/success.tsx' },
  { kind: 'public', path: '/cancel', file: 'features/membership/pages/cancel.tsx' },
  {
    kind: 'shell',
    access: 'admin',
    path: '/admin/billing',
    isCaseSensitive: true,
    file: 'features/membership/admin/pages/billing.tsx',
  },
  {
    kind: 'shell',
    access: 'admin',
    path: '/admin/billing/:id',
    isCaseSensitive: true,
    file: 'features/membership/admin/pages/member-billing.tsx',
  },
  {
    kind: 'shell',
    access: 'admin',
    path: '/admin-vip-users',
    isCaseSensitive: true,
    file: 'features/membership/vips/pages/vip-users.tsx',
  },
  {
    kind: 'shell',
    access: 'admin',
    path: '/admin-vip-disabled',
    isCaseSensitive: true,
    file: 'features/membership/vips/pages/vip-disabled.tsx',
  },
  {
    kind: 'shell',
    access: 'admin',
    path: '/admin/people/import',
    isCaseSensitive: true,
    file: 'features/membership/transfer/pages/import-members.tsx',
  },
]
