import type { Page } from '../../http/pages/page.ts'

const shell = { kind: 'shell', access: 'admin', isCaseSensitive: true } as const

/** The pages of the office. */
export const officePages: readonly Page[] = [
  { ...shell, path: '/admin/audit', file: 'features/office/audit/pages/audit-log.tsx' },
  { ...shell, path: '/admin/answer-templates', file: 'features/office/answers/pages/answer-templates.tsx' },
  { ...shell, path: '/admin/texts', file: 'features/office/texts/pages/texts.tsx' },
]
