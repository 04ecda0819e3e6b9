/** The acts of requests and support in the audit log, each with its label for administrators. */
export const requestActions = {
  'request.approved': 'Approved a request',
  'request.rejected': 'Rejected a request',
  'request.decision_undone': 'Took a decision on a request back',
  'request.fulfilled': 'Linked a request to an entry',
  'request.removed': 'Took a request down',
  'inquiry.answered': 'Answered an inquiry',
  'inquiry.closed': 'Closed an inquiry',
  'inquiry.reopened': 'Opened an inquiry again',
} as const

type RequestActions = typeof requestActions

declare module '../office/audit/audit-event.ts' {
  interface AuditActions extends RequestActions {}
}
