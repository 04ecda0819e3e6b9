import type { ActionsByGroup, AuditSubjects, NamesOf } from '../office/audit/audit-event.ts'

/** The acts of the site itself in the audit log, by the groups of the screen, each with its label. */
export const siteActions = {
  settings: {
    'settings.appearance_saved': "Changed the site's appearance",
    'backup.restored': 'Restored a backup into this database',
    'step.skipped': 'Skipped a first step',
    'step.resumed': 'Resumed a skipped first step',
    'job.retried': 'Retried a job',
    'job.given_up': 'Discarded a job',
  },
} as const satisfies ActionsByGroup

export const siteSubjects = {
  'setting:site.appearance': { words: () => 'the appearance', path: () => '/admin/appearance' },
} satisfies AuditSubjects

declare module '../office/audit/audit-event.ts' {
  interface KnownActions {
    site: NamesOf<typeof siteActions>
  }
}
