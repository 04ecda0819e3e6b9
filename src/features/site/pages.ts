import { adminShells, type Page } from '../../http/pages/page.ts'

/** Stands around the pages of its access, and opens for viewers who have it. */
export const guards = {
  vip: 'features/site/pages/require-vip.tsx',
  admin: 'features/site/pages/require-admin.tsx',
} as const

/** Says that nothing is there, at every address that no page declares. */
export const notFoundFile = 'features/site/pages/not-found.tsx'

const adminShell = adminShells('features/site/pages')

export const sitePages: readonly Page[] = [
  { kind: 'public', path: '/', id: 'features/site/pages/chooser', file: 'features/site/pages/chooser.tsx' },
  { kind: 'public', path: '/chooser', file: 'features/site/pages/chooser.tsx' },
  { kind: 'shell', access: 'member', path: '/account', file: 'features/site/pages/account.tsx' },
  {
    kind: 'shell',
    access: 'member',
    path: '/account/security',
    id: 'account-security',
    file: 'features/site/pages/account.tsx',
  },
  { kind: 'public', path: '/offline', file: 'features/site/pages/offline.tsx' },
  { kind: 'public', path: '/docs', file: 'features/site/pages/api-docs.tsx' },
  { kind: 'public', path: '/feeds', file: 'features/site/pages/feeds.tsx' },
  {
    kind: 'shell',
    access: 'vip',
    path: '/vip',
    isCaseSensitive: true,
    file: 'features/site/pages/vip-chooser.tsx',
  },
  adminShell('/admin/people/:id', 'person.tsx'),
  // Nothing below it is cached, not even a 404.
  { kind: 'uncached', path: '/go/*', isCaseSensitive: true, rateLimit: 'passage', file: notFoundFile },
  adminShell('/admin', 'admin-home.tsx'),
  adminShell('/admin/stats', 'statistics.tsx'),
  adminShell('/admin/appearance', 'appearance.tsx'),
  adminShell('/admin/configuration', 'settings.tsx'),
  adminShell('/admin/demo', 'demo.tsx'),
  adminShell('/admin/jobs', 'jobs.tsx'),
]
