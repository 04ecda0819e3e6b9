/** The acts of accounts in the audit log, each with its label for administrators. */
export const accountActions = {
  'session.opened': 'Signed in',
  'session.refused': 'Refused wrong passwords',
  'proof.given': 'Proved who they are',
  'proof.refused': 'Refused wrong proofs of who they are',
  'password.changed': 'Changed a password',
  'password.reset': 'Set a new password by the link of an email',
  'password.reset_sent': 'Sent a link to set a new password',
  'sessions.ended': 'Signed a member out everywhere',
  'sessions.all_ended': 'Signed everybody out',
  'devices.forgotten': 'Forgot the devices of a member',
  'factor.added': 'Added a second factor',
  'factor.removed': 'Removed a second factor',
  'factor.renamed': 'Renamed a passkey',
  'factor.codes_made': 'Made new recovery codes',
  'factor.code_used': 'Used a recovery code',
  'factor.refused': 'Refused wrong second factors after a right password',
  'factor.unfinished': 'Gave the right password and no second factor',
  'factor.all_removed': 'Removed the second factor of a member',
  'account.created': 'Created an account',
  'account.erased': 'Deleted an account',
  'account.unlocked': 'Cleared the limits of an account',
  'account.exported': "Exported a member's data",
  'account.address_confirmed': 'Confirmed an email address',
  'account.address_requested': 'Asked to change an email address',
  'account.address_changed': 'Changed an email address',
  'role.granted': 'Made an administrator',
  'role.withdrawn': 'Took the administrator role away',
  'role.safety_officer_named': 'Named a safety officer',
  'role.safety_officer_withdrawn': 'Took the mark of a safety officer away',
  'member.note_changed': "Changed a member's note",
  'members.exported': 'Exported members',
} as const

type AccountActions = typeof accountActions

declare module '../office/audit/audit-event.ts' {
  interface AuditActions extends AccountActions {}
}
