import type { ActionsByGroup, AuditSubjects, NamesOf } from '../office/audit/audit-event.ts'

/** The acts of accounts in the audit log, by the groups of the screen, each with its label. */
export const accountActions = {
  'sign-ins': {
    'session.opened': 'Signed in',
    'session.refused': 'Refused wrong passwords',
    'proof.given': 'Confirmed their identity',
    'proof.refused': 'Refused a failed identity check',
    'sessions.ended': 'Signed a member out everywhere',
    'sessions.all_ended': 'Signed everybody out',
    'devices.forgotten': "Forgot a member's devices",
    'factor.code_used': 'Used a recovery code',
    'factor.refused': 'Refused wrong second factors after a right password',
    'factor.unfinished': 'Gave the right password and no second factor',
  },
  accounts: {
    'password.changed': 'Changed a password',
    'password.reset': 'Set a new password from an emailed link',
    'password.reset_sent': 'Sent a link to set a new password',
    'password.app_made': 'Made an app password',
    'password.app_ended': 'Ended an app password',
    'factor.added': 'Added a second factor',
    'factor.removed': 'Removed a second factor',
    'factor.renamed': 'Renamed a passkey',
    'factor.codes_made': 'Made new recovery codes',
    'factor.all_removed': "Removed a member's second factors",
    'account.created': 'Created an account',
    'account.erased': 'Deleted an account',
    'account.unlocked': 'Unlocked sign-in to an account',
    'account.exported': "Exported a member's data",
    'account.feed_made': 'Made a private feed',
    'account.feed_ended': 'Ended a private feed',
    'account.emails_resumed': 'Resumed emails to a member',
    'account.address_confirmed': 'Confirmed an email address',
    'account.address_requested': 'Asked to change an email address',
    'account.address_changed': 'Changed an email address',
    'role.granted': 'Made an administrator',
    'role.withdrawn': 'Removed an administrator',
    'role.safety_officer_named': 'Named a safety officer',
    'role.safety_officer_withdrawn': 'Removed a safety officer',
    'member.record_changed': "Changed a member's note",
    'members.exported': 'Exported members',
  },
} as const satisfies ActionsByGroup

export const accountSubjects = {
  member: {
    words: ({ name }) => name ?? 'a deleted account',
    path: ({ id, name }) => (name === null ? undefined : `/admin/people/${encodeURIComponent(id)}`),
  },
} satisfies AuditSubjects

declare module '../office/audit/audit-event.ts' {
  interface KnownActions {
    accounts: NamesOf<typeof accountActions>
  }
  interface KnownSubjects {
    accounts: keyof typeof accountSubjects
  }
}
