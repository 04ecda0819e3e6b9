import { adminShells, type Page } from '../../http/pages/page.ts'
import { counterNoticeNames } from './intake/counter-notice-form.ts'
import { formPath, type NoticeForm, urgentWords } from './intake/notice-forms.ts'
import { namesIn } from './intake/typed-notice.ts'
import { elementNames } from './notice/notice-elements.ts'

/** The largest form: fifty addresses and three long texts in any script, encoded. */
const maxBodyBytes = 512 * 1024

const adminShell = adminShells('features/notices/pages')

export const noticesPages: readonly Page[] = [
  adminShell('/admin/notices', 'admin-notices.tsx'),
  adminShell('/admin/notices/:reference', 'admin-notice.tsx'),
  // Not cached: anybody chooses `entry`, and each would be a page of its own.
  { kind: 'uncached', path: '/report', parameters: ['entry'], file: 'features/notices/pages/report.tsx' },
  formPage('child-safety'),
  formPage('intimate-image'),
  formPage('copyright'),
  formPage('privacy'),
  formPage('other'),
  {
    kind: 'uncached',
    path: '/report/counter-notice',
    parameters: ['reference', 'done'],
    rateLimit: 'notice',
    form: { maxBodyBytes, fields: counterNoticeNames, urgent: urgentAt() },
    file: 'features/notices/pages/counter-notice.tsx',
  },
  { kind: 'uncached', path: '/report/receipt/:token', file: 'features/notices/pages/receipt.tsx' },
  {
    kind: 'uncached',
    path: '/report/track/:token',
    parameters: ['done'],
    rateLimit: 'notice',
    form: { maxBodyBytes, fields: ['act', 'sure', ...elementNames], urgent: urgentAt() },
    file: 'features/notices/pages/track.tsx',
  },
  // Cached pages follow the catalogue, which a notice does not change; its figures are at most a minute old anyway.
  { kind: 'uncached', path: '/transparency', file: 'features/notices/pages/transparency.tsx' },
  { kind: 'public', path: '/dmca', file: 'features/notices/pages/dmca.tsx' },
]

function formPage(form: NoticeForm): Page {
  return {
    kind: 'uncached',
    path: formPath(form),
    parameters: ['entry'],
    rateLimit: 'notice',
    form: { maxBodyBytes, fields: namesIn(form), urgent: urgentAt(form) },
    file: 'features/notices/pages/notice-form.tsx',
  }
}

function urgentAt(form?: NoticeForm): (contactEmail: string) => string {
  return (contactEmail) => urgentWords(form).join(contactEmail)
}
