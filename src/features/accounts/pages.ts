import { adminShells, type Page } from '../../http/pages/page.ts'

const adminShell = adminShells('features/accounts')
const shell = { kind: 'shell', access: 'anyone' } as const

/** The pages of accounts. Their queries hold secrets, such as the token of a reset link, and reach no server rendering. */
export const accountPages: readonly Page[] = [
  { ...shell, path: '/login', file: 'features/accounts/pages/login.tsx' },
  { ...shell, path: '/register', file: 'features/accounts/pages/register.tsx' },
  { ...shell, path: '/forgot-password', file: 'features/accounts/pages/forgot-password.tsx' },
  { ...shell, path: '/reset-password', file: 'features/accounts/pages/reset-password.tsx' },
  {
    ...shell,
    path: '/confirm-address',
    rateLimit: 'confirm-address',
    form: { maxBodyBytes: 1_024, fields: [] },
    file: 'features/accounts/pages/confirm-address.tsx',
  },
  adminShell('/admin/people', 'people/pages/people.tsx'),
  adminShell('/admin/emails', 'sent-emails/pages/sent-emails.tsx'),
]
