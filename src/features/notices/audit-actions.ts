/** The acts of the notices in the audit log, each with its label for administrators. */
export const noticeActions = {
  'notice.reviewed': 'Began the review of a notice',
  'notice.hidden': 'Hid the entries of a notice',
  'notice.asked': 'Asked the sender of a notice for more',
  'notice.reclassified': 'Changed the kind of a notice',
  'notice.entries_changed': 'Changed the addresses of a notice',
  'notice.duplicate': 'Marked a notice as a duplicate',
  'notice.decided': 'Decided a notice',
  'notice.reversed': 'Made a new decision on a notice',
  'notice.appeal_answered': 'Answered an appeal',
  'notice.counter_accepted': 'Accepted a counter-notice',
  'notice.counter_refused': 'Refused a counter-notice',
  'notice.action_noted': 'Noted a court action',
  'notice.second_wanted': 'Asked a second safety officer to agree',
  'notice.closed': 'Closed a notice',
  'notices.statements_exported': 'Exported statements of reasons',
  'removals.noted': 'Filled the journal of removals from the database',
  'removals.repaired': 'Took entries off the site again after a restore',
  'removals.lifted': 'Lifted what kept entries off the site',
} as const

type NoticeActions = typeof noticeActions

declare module '../office/audit/audit-event.ts' {
  interface AuditActions extends NoticeActions {}
}
