import { dayInZone } from '../../platform/time/instant-in-words.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { ActionsByGroup, AuditSubjects, NamesOf } from '../office/audit/audit-event.ts'

/** The acts of requests and support in the audit log, by the groups of the screen, each with its label. */
export const requestActions = {
  inbox: {
    'request.approved': 'Approved a request',
    'request.rejected': 'Rejected a request',
    'request.decision_undone': 'Undid a decision on a request',
    'request.fulfilled': 'Linked a request to an entry',
    'request.removed': 'Took a request down',
    'inquiry.answered': 'Answered an inquiry',
    'inquiry.closed': 'Closed an inquiry',
    'inquiry.reopened': 'Reopened an inquiry',
  },
} as const satisfies ActionsByGroup

/** The list of an inquiry after the action. */
const inquiryStates: Record<string, string> = { 'inquiry.answered': 'answered', 'inquiry.closed': 'closed' }

/** The list of a request after the action; a removed one is on the list of all. */
const requestLists: Record<string, string> = {
  'request.approved': '?status=approved',
  'request.fulfilled': '?status=approved',
  'request.rejected': '?status=rejected',
}

export const requestSubjects = {
  request: {
    // The title at that time outlives the request.
    words: ({ details: { title } }) => (typeof title === 'string' && title !== '' ? title : 'a request'),
    path: ({ action }) => `/admin/requests${requestLists[action] ?? ''}`,
  },
  inquiry: {
    // The inquirer is a person: their name is not shown here.
    words: ({ id, timeZone }) => (isUuid(id) ? `the inquiry of ${dayInZone(madeAt(id), timeZone)}` : 'an inquiry'),
    path: ({ action }) => `/admin/support?state=${inquiryStates[action] ?? 'open'}`,
  },
} satisfies AuditSubjects

/** An id of version 7 begins with its milliseconds. */
function madeAt(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

declare module '../office/audit/audit-event.ts' {
  interface KnownActions {
    requests: NamesOf<typeof requestActions>
  }
  interface KnownSubjects {
    requests: keyof typeof requestSubjects
  }
}
