import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { rightsBases } from '../../catalogue/item/rights.ts'
import { noticeKinds } from '../notice/notice-kinds.ts'

/** The public figures of the notices (docs/spec/notices.md#transparency). Browser-safe. */

/** Replaces a small count of a coarse kind. */
export const fewerThanFive = 'fewer than 5'

/** A count; for a coarse kind at least this many, in steps of five, or fewer. */
export const Count = z.union([z.int(), z.literal(fewerThanFive)])
export type Count = z.infer<typeof Count>

/** The results of the notices that were received in a time. */
export const Figures = z.object({
  received: Count,
  /** Those of them that never had all required elements. */
  incomplete: Count,
  /** Those that wait for a decision. */
  open: Count,
  /** Notices with a passed deadline; hidden entries stay hidden until a person decides. */
  overdue: Count,
  decided: Count,
  withdrawn: Count,
  duplicates: Count,
  /** From the receipt to the first decision, in hours; null where none was made, or too few of a coarse kind. */
  medianHours: z.nullable(z.number()),
  p90Hours: z.nullable(z.number()),
  /**
   * The share whose decision was in time, among those whose deadline is over or was met: whole percents, rounded down.
   */
  inTimePercent: z.nullable(z.int()),
  /** By the decision in force. */
  removed: Count,
  restricted: Count,
  kept: Count,
  /** Decisions that the site made itself, by a deadline. */
  decidedBySite: Count,
  /** Decisions with another outcome than the one that they replaced. */
  reversals: Count,
  appeals: Count,
  appealsGranted: Count,
  appealsRefused: Count,
  counterNotices: Count,
  /** After which the entries were restored. */
  counterNoticesRestored: Count,
  /** Stopped by a court action: nothing is restored. */
  counterNoticesStopped: Count,
})
export type Figures = z.infer<typeof Figures>

/** The names of the figures, in their order. They are those of the CSV file. */
export const figureNames = Object.keys(Figures.shape) as (keyof Figures)[]

export type CountName = { [Name in keyof Figures]: Figures[Name] extends Count ? Name : never }[keyof Figures]

/** Those that are counts. */
export const countNames = figureNames.filter((name): name is CountName => Figures.shape[name] === Count)

export const FiguresOfYear = z.object({ year: z.int(), figures: Figures })

/** GET /transparency.json */
export const TransparencyReport = z.object({
  countedAt: Instant,
  /** The years are those of this time zone. */
  timeZone: z.string(),
  kinds: z.array(
    z.object({
      kind: z.enum(noticeKinds),
      /** A small count could point at a person: it is rounded down to a multiple of five. */
      isCoarse: z.boolean(),
      all: Figures,
      /** By the year of their receipt; the last one first. */
      years: z.array(FiguresOfYear),
    }),
  ),
  /** All kinds that are no coarse ones, together. */
  together: z.object({ all: Figures, years: z.array(FiguresOfYear) }),
  /** The published entries, by the basis of their rights. */
  published: z.object({
    entries: z.int(),
    bases: z.array(z.object({ basis: z.enum(rightsBases), entries: z.int() })),
  }),
  /**
   * The reviewer of an entry's rights before it is published: a second administrator, or only the one who records them.
   */
  verification: z.enum(['second-person', 'single-operator']),
})
export type TransparencyReport = z.infer<typeof TransparencyReport>
