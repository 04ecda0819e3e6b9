import type { Generated, GeneratedAlways } from 'kysely'
import type { Timestamp } from './columns.ts'

/** The tables that the requests own: no other room writes them. The migrations document each column. */
export interface RequestsTables {
  content_requests: ContentRequestsTable
  request_votes: RequestVotesTable
  inquiries: InquiriesTable
  inquiry_replies: InquiryRepliesTable
  inquiry_emails: InquiryEmailsTable
}

interface ContentRequestsTable {
  id: string
  author_id: string | null
  title: string
  title_folded: string
  title_grams: number[]
  description: string
  status: Generated<'pending' | 'approved' | 'rejected'>
  /** Those that count. Written by the database alone. */
  votes: Generated<number>
  created_at: Timestamp
  decided_at: Timestamp | null
  item_id: string | null
  fulfilled_at: Timestamp | null
  removed_at: Timestamp | null
}

interface RequestVotesTable {
  request_id: string
  user_id: string
  voted_at: Timestamp
  notified_at: Timestamp | null
  /** Written by the database alone. */
  counts: Generated<boolean>
}

interface InquiriesTable {
  id: string
  user_id: string | null
  name: string
  email: string
  message: string
  is_vip: boolean
  refused_status: number | null
  state: 'forwarding' | 'open' | 'answered' | 'closed'
  sending_digest: Buffer | null
  version: Generated<number>
  created_at: Timestamp
  tried_at: Timestamp | null
  mailed_at: Timestamp | null
  closed_at: Timestamp | null
}

interface InquiryRepliesTable {
  id: string
  inquiry_id: string
  written_by: string | null
  message: string
  written_at: Timestamp
}

/** The emails to the operator of the last minutes, without those about inquiries of VIPs. */
interface InquiryEmailsTable {
  id: GeneratedAlways<string>
  queued_at: Timestamp
  /** About all that waited, however many these were. */
  is_about_many: boolean
}
