/** The acts of the office in the audit log, each with its label for administrators. */
export const officeActions = {
  'limit.reached': 'Refused what is beyond a limit',
  'settings.texts_saved': "Changed the site's texts",
  'alarm.raised': 'Raised an alarm',
  'log.restored': 'Noted that a backup was restored',
} as const

type OfficeActions = typeof officeActions

/**
 * Every action of the audit log (docs/spec/security.md#audit-log). Each feature adds its own (`audit-actions.ts`), which
 * makes it known to the compiler here, and to `app.auditActions` through its contributions.
 */
export interface AuditActions extends OfficeActions {}

export type AuditAction = keyof AuditActions

interface GroupOfActions {
  label: string
  words: readonly string[]
  /** Actions that belong here whatever their first word is. */
  actions?: readonly string[]
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

/** @param actions all that there are (`app.auditActions`) */
export function actionsOfGroup(group: AuditGroup, actions: object): string[] {
  return Object.keys(actions).filter((action) => isIn(auditGroups[group], action))
}

const namedWhole = new Set(Object.values<GroupOfActions>(auditGroups).flatMap(({ actions = [] }) => actions))

function isIn({ words, actions = [] }: GroupOfActions, action: string): boolean {
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
