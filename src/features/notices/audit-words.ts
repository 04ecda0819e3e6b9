import type { ActionsByGroup, AuditSubjects, NamesOf } from '../office/audit/audit-event.ts'

export const noticeActions = {
  notices: {
    'notice.reviewed': 'Began the review of a notice',
    'notice.hidden': 'Hid the entries of a notice',
    'notice.assigned': 'Assigned a notice',
    'notice.asked': 'Asked the sender of a notice for more',
    'notice.reclassified': 'Changed the kind of a notice',
    'notice.entries_changed': 'Changed the addresses of a notice',
    'notice.duplicate': 'Marked a notice as a duplicate',
    'notice.decided': 'Decided a notice',
    'notice.reversed': 'Made a new decision on a notice',
    'notice.appeal_answered': 'Answered an appeal',
    'notice.counter_accepted': 'Accepted a counter-notice',
    'notice.counter_refused': 'Refused a counter-notice',
    'notice.action_recorded': 'Recorded a court action',
    'notice.second_wanted': 'Asked a second safety officer to agree',
    'notice.closed': 'Closed a notice',
    'notices.statements_exported': 'Exported statements of reasons',
    'removals.recorded': 'Rebuilt the journal of removals from the database',
    'removals.repaired': 'Took entries off the site again after a restore',
    'removals.lifted': 'Lifted the blocks that kept entries off the site',
  },
} as const satisfies ActionsByGroup

export const noticeSubjects = {
  // The log has no reference of notices for safety officers alone.
  notice: {
    words: ({ details: { reference } }) => (typeof reference === 'string' ? `notice ${reference}` : 'a notice'),
    path: ({ details: { reference } }) => (typeof reference === 'string' ? `/admin/notices/${reference}` : undefined),
  },
} satisfies AuditSubjects

declare module '../office/audit/audit-event.ts' {
  interface KnownActions {
    notices: NamesOf<typeof noticeActions>
  }
  interface KnownSubjects {
    notices: keyof typeof noticeSubjects
  }
}
