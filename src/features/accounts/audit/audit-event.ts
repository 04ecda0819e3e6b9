/**
 * What the audit log records (docs/spec/security.md#audit-log), by action: the words in which an administrator reads it.
 * A feature on the right adds its actions here: the list is one, so that the screen can filter by it.
 */
export const auditActions = {
  'session.opened': 'Signed in',
  'password.changed': 'Changed a password',
  'password.reset': 'Set a new password by the link of an email',
  'password.reset_sent': 'Sent a link to set a new password',
  'sessions.ended': 'Signed a member out everywhere',
  'account.created': 'Created an account',
  'account.erased': 'Deleted an account',
  'account.exported': "Exported a member's data",
  'role.granted': 'Made an administrator',
  'role.withdrawn': 'Took the administrator role away',
  'member.note_changed': "Changed a member's note",
  'members.imported': 'Imported members',
  'members.exported': 'Exported members',
  'vip.renewed': 'Renewed VIP access',
  'vip.disabled': 'Disabled VIP access',
  'purchases.allowed': 'Allowed purchases again',
  'item.created': 'Created an entry',
  'item.changed': 'Changed an entry',
  'item.published': 'Published an entry',
  'item.unpublished': 'Unpublished an entry',
  'item.deleted': 'Deleted an entry',
  'evidence.stored': 'Stored a file of evidence',
  'consent.withdrawn': 'Noted that a consent was withdrawn',
  'consent.renewed': 'Noted that a consent was given anew',
  'items.imported': 'Imported entries',
  'items.exported': 'Exported the catalogue',
  'items.bulk_edited': 'Changed many entries',
  'items.bulk_undone': 'Undid a change of many entries',
  'category.created': 'Added a category',
  'category.renamed': 'Renamed a category',
  'category.merged': 'Merged a category into another',
  'category.removed': 'Removed a category',
  'request.approved': 'Approved a request',
  'request.rejected': 'Rejected a request',
  'request.fulfilled': 'Linked a request to an entry',
  'inquiry.answered': 'Answered an inquiry',
  'inquiry.closed': 'Closed an inquiry',
  'inquiry.reopened': 'Opened an inquiry again',
  'settings.gateway_saved': "Saved the gateway's settings",
  'settings.texts_saved': "Changed the site's texts",
} as const

export type AuditAction = keyof typeof auditActions

/** The filters of the screen: each takes the actions whose first word it names. */
export const auditGroups = {
  'sign-ins': { label: 'Sign-ins', words: ['session', 'sessions'] },
  accounts: { label: 'Accounts and roles', words: ['account', 'password', 'role', 'member', 'members'] },
  membership: { label: 'VIP and purchases', words: ['vip', 'purchases'] },
  content: { label: 'Content', words: ['item', 'items', 'category', 'evidence', 'consent'] },
  inbox: { label: 'Requests and support', words: ['request', 'inquiry'] },
  settings: { label: 'Settings', words: ['settings'] },
} as const satisfies Record<string, { label: string; words: readonly string[] }>

export type AuditGroup = keyof typeof auditGroups

export const auditGroupNames = Object.keys(auditGroups) as [AuditGroup, ...AuditGroup[]]

export function actionsOfGroup(group: AuditGroup): AuditAction[] {
  const words: readonly string[] = auditGroups[group].words
  return (Object.keys(auditActions) as AuditAction[]).filter((action) => words.includes(action.split('.')[0] ?? ''))
}

/** Who did it: a member, the operator on the command line, or the site by itself. */
export type AuditActor = { memberId: string } | 'operator' | 'system'

/** What it was done to. */
export interface AuditSubject {
  kind: 'member' | 'item' | 'category' | 'request' | 'inquiry' | 'import' | 'member_import' | 'bulk_edit' | 'setting'
  id: string
}

export interface AuditEvent {
  action: AuditAction
  by: AuditActor
  subject?: AuditSubject
  /** Facts for the reader, as JSON. No secrets; of members nothing but ids. */
  details?: Record<string, unknown>
}
