import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** An event of the audit log as administrators see it. */
export const AuditEventForAdmin = z.object({
  id: z.string(),
  /**
   * Its place in the chain of hashes; null before it has one, and for readers who are no safety officers: gaps would
   * reveal hidden events.
   */
  position: z.nullable(z.int()),
  at: Instant,
  action: z.string(),
  /** The action in words; the action itself where this version does not know it. */
  words: z.string(),
  by: z.object({
    kind: z.enum(['member', 'operator', 'system']),
    id: TextOrNull,
    /** The member's; null where the account is deleted. */
    name: TextOrNull,
  }),
  /** The object, in words and with the path of its page; with a member's name, while the account exists. */
  subject: z.nullable(
    z.object({
      kind: z.string(),
      id: z.string(),
      name: TextOrNull,
      words: z.string(),
      path: TextOrNull,
    }),
  ),
  details: z.record(z.string(), z.unknown()),
  /** Events of one transaction have the same. */
  act: z.string(),
})
export type AuditEventForAdmin = z.infer<typeof AuditEventForAdmin>

/** A part of the events, newest first (GET /api/people/:id/trail). */
export const AuditEventsForAdmin = z.object({
  events: z.array(AuditEventForAdmin),
  /** `before` of the events that follow; null at the end. */
  next: TextOrNull,
})
export type AuditEventsForAdmin = z.infer<typeof AuditEventsForAdmin>

/** A part of the audit log, newest first (GET /api/audit). */
export const AuditLogForAdmin = z.object({
  ...AuditEventsForAdmin.shape,
  /** The last nightly check of the whole log; null before the first. */
  check: z.nullable(
    z.object({
      checkedAt: Instant,
      /** Null for readers who are no safety officers: some events are hidden from them. */
      events: z.nullable(z.int()),
      faults: z.array(z.object({ position: z.nullable(z.int()), sentence: z.string() })),
    }),
  ),
})
export type AuditLogForAdmin = z.infer<typeof AuditLogForAdmin>
