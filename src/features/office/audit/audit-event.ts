/**
 * The actions of the audit log (docs/spec/security.md#audit-log), each with its label for administrators. A feature on
 * the right adds its actions here: the list is one, so that the screen can filter by it.
 */
export const auditActions = {
  'session.opened': 'Signed in',
  'session.refused': 'Refused wrong passwords',
  'proof.given': 'Proved who they are',
  'proof.refused': 'Refused wrong proofs of who they are',
  'limit.reached': 'Refused what is beyond a limit',
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
  'members.imported': 'Imported members',
  'members.import_deleted': 'Deleted the report of an import of members',
  'members.invitations_stopped': 'Stopped the invitations of an import',
  'members.exported': 'Exported members',
  'vip.renewed': 'Renewed VIP access',
  'vip.disabled': 'Disabled VIP access',
  'purchases.allowed': 'Allowed purchases again',
  'item.created': 'Created an entry',
  'item.changed': 'Changed an entry',
  'item.published': 'Published an entry',
  'item.unpublished': 'Unpublished an entry',
  'item.restricted': 'Took an entry off the site',
  'item.removed': 'Removed an entry by a decision',
  'item.restored': 'Reversed the removal of an entry',
  'item.verified': 'Verified the rights of an entry',
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
  'request.decision_undone': 'Took a decision on a request back',
  'request.fulfilled': 'Linked a request to an entry',
  'request.removed': 'Took a request down',
  'inquiry.answered': 'Answered an inquiry',
  'inquiry.closed': 'Closed an inquiry',
  'inquiry.reopened': 'Opened an inquiry again',
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
  'settings.gateway_saved': "Saved the gateway's settings",
  'settings.prohibited_names_saved': 'Changed the prohibited names',
  'settings.texts_saved': "Changed the site's texts",
  'alarm.raised': 'Raised an alarm',
  'log.restored': 'Noted that a backup was restored',
} as const

export type AuditAction = keyof typeof auditActions

interface GroupOfActions {
  label: string
  words: readonly string[]
  /** Actions that belong here whatever their first word is. */
  actions?: readonly AuditAction[]
}

/** The filters of the screen: each takes the actions whose first word it names, and those that it names whole. */
export const auditGroups = {
  'sign-ins': {
    label: 'Sign-ins',
    words: ['session', 'sessions', 'proof', 'devices', 'limit', 'alarm'],
    actions: ['factor.code_used', 'factor.refused', 'factor.unfinished'],
  },
  accounts: { label: 'Accounts and roles', words: ['account', 'password', 'factor', 'role', 'member', 'members'] },
  membership: { label: 'VIP and purchases', words: ['vip', 'purchases'] },
  content: { label: 'Content', words: ['item', 'items', 'category', 'evidence', 'consent'] },
  inbox: { label: 'Requests and support', words: ['request', 'inquiry'] },
  notices: { label: 'Notices', words: ['notice', 'notices', 'removals'] },
  settings: { label: 'Settings', words: ['settings', 'log'] },
} as const satisfies Record<string, GroupOfActions>

export type AuditGroup = keyof typeof auditGroups

export const auditGroupNames = Object.keys(auditGroups) as [AuditGroup, ...AuditGroup[]]

export function actionsOfGroup(group: AuditGroup): AuditAction[] {
  return (Object.keys(auditActions) as AuditAction[]).filter((action) => isIn(auditGroups[group], action))
}

const namedWhole = new Set(Object.values<GroupOfActions>(auditGroups).flatMap(({ actions = [] }) => actions))

function isIn({ words, actions = [] }: GroupOfActions, action: AuditAction): boolean {
  return namedWhole.has(action) ? actions.includes(action) : words.includes(action.split('.')[0] ?? '')
}

/** Whether an event tells of the network and the request that it came from. */
export function isOfSecurity(action: AuditAction): boolean {
  return isIn(auditGroups['sign-ins'], action) || isIn(auditGroups.accounts, action)
}

/** The actor: a member, the operator on the command line, or the site itself. */
export type AuditActor = { memberId: string } | 'operator' | 'system'

/** The object of an event. */
export interface AuditSubject {
  kind:
    | 'member'
    | 'item'
    | 'category'
    | 'request'
    | 'inquiry'
    | 'notice'
    | 'import'
    | 'member_import'
    | 'bulk_edit'
    | 'setting'
  id: string
}

export interface AuditEvent {
  action: AuditAction
  by: AuditActor
  subject?: AuditSubject
  /** Facts for the reader, as JSON. No secrets; of members nothing but ids. `address` and `requestId` are added. */
  details?: Record<string, unknown>
}
