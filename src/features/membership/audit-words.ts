import type { ActionsByGroup, AuditSubjects, NamesOf } from '../office/audit/audit-event.ts'

/** The acts of the membership in the audit log, by the groups of the screen, each with its label. */
export const membershipActions = {
  accounts: {
    'members.imported': 'Imported members',
    'members.import_deleted': 'Deleted the report of a member import',
    'members.invitations_stopped': "Stopped an import's invitations",
  },
  membership: {
    'vip.renewed': 'Renewed VIP access',
    'vip.disabled': 'Disabled VIP access',
    'purchases.allowed': 'Allowed purchases again',
  },
} as const satisfies ActionsByGroup

export const membershipSubjects = {
  member_import: { words: () => 'an import of members', path: () => '/admin/people/import' },
} satisfies AuditSubjects

declare module '../office/audit/audit-event.ts' {
  interface KnownActions {
    membership: NamesOf<typeof membershipActions>
  }
  interface KnownSubjects {
    membership: keyof typeof membershipSubjects
  }
}
