import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** The tables that the notices own: no other room writes them. The migrations document each column. */
export interface NoticesTables {
  notices: NoticesTable
  notice_hides: NoticeHidesTable
  notice_assignments: NoticeAssignmentsTable
  notice_items: NoticeItemsTable
  notice_events: NoticeEventsTable
  notice_clocks: NoticeClocksTable
  notice_decisions: NoticeDecisionsTable
  notice_decision_items: NoticeDecisionItemsTable
  notice_appeals: NoticeAppealsTable
  counter_notices: CounterNoticesTable
  counter_notice_items: CounterNoticeItemsTable
  agent_reminders: AgentRemindersTable
  removal_journals: RemovalJournalsTable
}

interface NoticesTable {
  id: string
  reference: string
  kind: 'copyright' | 'intimate-image' | 'child-safety' | 'privacy' | 'consent' | 'other'
  /** The kind at the receipt: written by the database alone. */
  received_as: GeneratedAlways<'copyright' | 'intimate-image' | 'child-safety' | 'privacy' | 'consent' | 'other'>
  status: 'received' | 'needs-info' | 'in-review' | 'decided' | 'closed' | 'withdrawn' | 'duplicate'
  version: Generated<number>
  missing: Generated<string[]>
  outcome: 'remove' | 'restrict' | 'keep' | null
  appeal: Generated<'none' | 'open' | 'answered'>
  open_counter_notices: Generated<number>
  holds: Generated<'none' | 'holds' | 'hides'>
  due_at: Timestamp | null
  notified_at: Timestamp | null
  search_text: Generated<string>
  name: string | null
  organization: string | null
  address: string | null
  phone: string | null
  email: string | null
  work_description: string | null
  explanation: string | null
  law_cited: string | null
  good_faith: Generated<boolean>
  accuracy: Generated<boolean>
  perjury: Generated<boolean>
  signature: string | null
  token_digest: Buffer
  sending_digest: Buffer | null
  duplicate_of: string | null
  received_at: TimestampByDefault
  completed_at: Timestamp | null
  decided_at: Timestamp | null
  closed_at: Timestamp | null
  queue: GeneratedAlways<'open' | 'decided' | 'closed'>
  gravity: GeneratedAlways<number>
  is_urgent: GeneratedAlways<boolean>
  is_withheld: Generated<boolean>
  rank: GeneratedAlways<number>
  network: string | null
  is_acknowledged: Generated<boolean>
  forgotten_at: Timestamp | null
}

interface NoticeHidesTable {
  notice_id: string
  at: TimestampByDefault
  entries: number
}

interface NoticeItemsTable {
  id: string
  notice_id: string
  position: number
  url: string
  item_id: string | null
  snapshot: JSONColumnType<Record<string, unknown>> | null
}

interface NoticeEventsTable {
  no: GeneratedAlways<string>
  notice_id: string
  at: TimestampByDefault
  type: string
  by_kind: 'sender' | 'administrator' | 'system'
  by_id: string | null
  from_status: string | null
  to_status: string
  version: number
  details: JSONColumnType<Record<string, unknown>>
}

interface NoticeClocksTable {
  id: string
  notice_id: string
  name: string
  counter_notice_id: string | null
  gravity: number
  started_at: TimestampByDefault
  due_at: Timestamp
  ended_at: Timestamp | null
  outcome: 'met' | 'expired' | 'cancelled' | null
  overdue_at: Timestamp | null
  work_at: Timestamp | null
  failures: Generated<number>
  notified_at: Timestamp | null
}

interface NoticeDecisionsTable {
  id: string
  no: GeneratedAlways<number>
  notice_id: string
  outcome: 'remove' | 'restrict' | 'keep'
  ground: 'illegal' | 'terms'
  legal_ground: string
  facts: string
  explanation: string
  decided_by: string | null
  decided_at: TimestampByDefault
  reverses: string | null
  category: string
  source_type: 'ARTICLE_16' | 'OTHER_NOTIFICATION' | 'VOLUNTARY'
  automated_decision: 'NOT_AUTOMATED' | 'PARTIALLY' | 'FULLY'
  applies_from: TimestampByDefault
}

interface NoticeDecisionItemsTable {
  decision_id: string
  item_id: string
  name: string
  path: string
  was_reported: boolean
  effect: 'removed' | 'restricted' | 'published' | 'draft' | 'unchanged'
  reasons: ColumnType<{ code: string; message: string; remedy: string }[], string | undefined, never>
}

interface NoticeAppealsTable {
  id: string
  notice_id: string
  decision_id: string
  statement: string
  filed_at: TimestampByDefault
  answered_at: Timestamp | null
  answered_by: string | null
  is_upheld: boolean | null
  answer: string | null
}

interface CounterNoticesTable {
  id: string
  notice_id: string
  decision_id: string
  reference: string
  state: Generated<'received' | 'accepted' | 'refused' | 'action' | 'restored' | 'overtaken'>
  name: string
  address: string
  phone: string
  email: string
  explanation: string
  signature: string
  received_at: TimestampByDefault
  notified_at: Timestamp | null
  is_answered: boolean
  accepted_at: Timestamp | null
  refused_at: Timestamp | null
  refusal: string | null
  action_notified_at: Timestamp | null
  action_note: string | null
  restored_at: Timestamp | null
  restored_by: string | null
  overtaken_at: Timestamp | null
  forgotten_at: Timestamp | null
}

interface CounterNoticeItemsTable {
  counter_notice_id: string
  item_id: string
  name: string
  path: string
}

interface AgentRemindersTable {
  /** A day, as `YYYY-MM-DD`. */
  registration_ends_on: ColumnType<never, string, never>
  days_before: number
  notified_at: TimestampByDefault
}

interface RemovalJournalsTable {
  id: string
  lines: number
  hash: string
  recorded_at: TimestampByDefault
}

interface NoticeAssignmentsTable {
  notice_id: string
  member_id: string
  assigned_at: Timestamp
}
