import { adminShells, type Page } from '../../http/pages/page.ts'

const adminShell = adminShells('features/requests/pages')

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
