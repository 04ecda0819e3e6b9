import { adminShells, type Page } from '../../http/pages/page.ts'

const adminShell = adminShells('features/office')

/** The pages of the office. */
export const officePages: readonly Page[] = [
  adminShell('/admin/audit', 'audit/pages/audit-log.tsx'),
  adminShell('/admin/answer-templates', 'answers/pages/answer-templates.tsx'),
  adminShell('/admin/texts', 'texts/pages/texts.tsx'),
]
