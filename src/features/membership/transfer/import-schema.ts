import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

export const rowOutcomes = ['new', 'existing', 'rejected', 'made'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

/** A file of members, and how far its import is (GET /api/member-imports/:id). */
export const MemberImport = z.object({
  id: z.string(),
  createdAt: Instant,
  /**
   * ready: the dry run is done, and nothing is imported yet. stopped, failed: in the middle; it may be started again and goes
   * on with what is left.
   */
  state: z.enum(['reading', 'ready', 'running', 'stopped', 'failed', 'done']),
  finishedAt: InstantOrNull,
  failure: TextOrNull,
  counts: z.object({
    new: z.int(),
    /** Rows whose address has an account already; it stays as it is. */
    existing: z.int(),
    rejected: z.int(),
    made: z.int(),
  }),
  invitationsWaiting: z.int(),
})
export type MemberImport = z.infer<typeof MemberImport>

/** The latest imports first (GET /api/member-imports). */
export const MemberImports = z.object({ imports: z.array(MemberImport) })

export const MemberImportRow = z.object({
  /** The header is line 1. */
  line: z.int(),
  email: z.string(),
  name: z.string(),
  createdAt: InstantOrNull,
  vipUntil: InstantOrNull,
  outcome: z.enum(rowOutcomes),
  /** Why it is rejected, or what of it is not taken over. */
  reason: TextOrNull,
})

/** The report row by row (GET /api/member-imports/:id/rows). */
export const MemberImportRows = z.object({
  rows: z.array(MemberImportRow),
  /** The parameter `after` of the next part; null at the end. */
  next: z.nullable(z.int()),
})
