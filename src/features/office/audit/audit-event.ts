export const auditGroups = {
  'sign-ins': 'Sign-ins',
  accounts: 'Accounts and roles',
  membership: 'VIP and purchases',
  content: 'Content',
  inbox: 'Requests and support',
  notices: 'Notices',
  settings: 'Settings',
} as const

export type AuditGroup = keyof typeof auditGroups

export const auditGroupNames = Object.keys(auditGroups) as [AuditGroup, ...AuditGroup[]]

/** Actions by their group, each with its label. */
export type ActionsByGroup = Partial<Record<AuditGroup, Readonly<Record<string, string>>>>

export type NamesOf<Actions> = { [Group in keyof Actions]: keyof Actions[Group] }[keyof Actions]

/** The acts of the office in the audit log, by the groups of the screen, each with its label. */
export const officeActions = {
  'sign-ins': {
    'limit.reached': 'Refused what is beyond a limit',
    'alarm.raised': 'Raised an alarm',
  },
  settings: {
    'settings.texts_saved': "Changed the site's texts",
    'log.exported': 'Exported the audit log',
    'template.saved': 'Saved a template of answers',
    'template.deleted': 'Deleted a template of answers',
    'log.restored': 'Noted that a backup was restored',
    'rehearsal.began': 'Began a rehearsal',
    'rehearsal.ended': 'Ended the rehearsal',
  },
} as const satisfies ActionsByGroup

export const officeSubjects = {
  setting: { words: ({ id }) => `settings: ${id}`, path: () => '/admin/texts' },
  template: {
    words: ({ details: { name } }) => (typeof name === 'string' ? `the template “${name}”` : 'a template'),
    path: () => '/admin/answer-templates',
  },
} satisfies AuditSubjects

/**
 * The actions of the audit log (docs/spec/security.md#audit-log) by feature. Each feature adds its own (`audit-words.ts`), which
 * makes them known to the compiler here, and to `app.audit` through its contributions.
 */
export interface KnownActions {
  office: NamesOf<typeof officeActions>
}

export type AuditAction = KnownActions[keyof KnownActions]

/** The kinds of subjects by feature, likewise. */
export interface KnownSubjects {
  office: keyof typeof officeSubjects
}

/** The words of a kind of subject; those of `kind:id` come before those of the kind. */
export interface SubjectWords {
  /** Such as 'Moby Dick' or 'a deleted account'. */
  words: (event: EventOfSubject) => string
  /** Its page; undefined where there is none. */
  path: (event: EventOfSubject) => string | undefined
}

export type AuditSubjects = Readonly<Record<string, SubjectWords>>

export interface EventOfSubject {
  action: string
  id: string
  /** A member's; null where the account is deleted. */
  name: string | null
  details: Readonly<Record<string, unknown>>
  timeZone: string
}

/** First words of the actions in the groups 'sign-ins' and 'accounts'. */
const wordsOfSecurity = /^(sessions?|proof|devices|limit|alarm|account|password|factor|role|members?)\./

/** Whether an event tells of the network and the request that it came from. */
export function isOfSecurity(action: string): boolean {
  return wordsOfSecurity.test(action)
}

/** The actor: a member, the operator on the command line, or the site itself. */
export type AuditActor = { memberId: string } | 'operator' | 'system'

/** The object of an event. */
export interface AuditSubject {
  kind: Exclude<KnownSubjects[keyof KnownSubjects], `${string}:${string}`>
  id: string
}

export interface AuditEvent {
  action: AuditAction
  by: AuditActor
  subject?: AuditSubject
  /** Facts for the reader, as JSON. No secrets; of members nothing but ids. `address` and `requestId` are added. */
  details?: Record<string, unknown>
}
