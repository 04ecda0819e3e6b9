/** The acts of the membership in the audit log, each with its label for administrators. */
export const membershipActions = {
  'members.imported': 'Imported members',
  'members.import_deleted': 'Deleted the report of an import of members',
  'members.invitations_stopped': 'Stopped the invitations of an import',
  'vip.renewed': 'Renewed VIP access',
  'vip.disabled': 'Disabled VIP access',
  'purchases.allowed': 'Allowed purchases again',
} as const

type MembershipActions = typeof membershipActions

declare module '../office/audit/audit-event.ts' {
  interface AuditActions extends MembershipActions {}
}
