import type { Page } from '../../http/pages/page.ts'

export const requestsPages: readonly Page[] = [
  { kind: 'shell', access: 'member', path: '/requests', file: 'features/requests/pages/requests.tsx' },
  {
    kind: 'uncached',
    path: '/support',
    rateLimit: 'inquiry',
    form: { maxBodyBytes: 64 * 1024, fields: ['name', 'email', 'message', 'sending'] },
    file: 'features/requests/pages/support.tsx',
  },
  adminShell('/admin/requests', 'admin-requests.tsx'),
  adminShell('/admin/support', 'admin-support.tsx'),
]

function adminShell(path: string, file: string): Page {
  return { kind: 'shell', access: 'admin', path, isCaseSensitive: true, file: `features/requests/pages/${file}` }
}
