import * as z from 'zod/mini'
import { InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** The counts of the navigation (GET /api/admin/waiting). */
export const WaitingList = z.object({
  waiting: z.array(z.object({ sentence: z.string(), count: z.int(), to: z.string() })),
})
export type WaitingList = z.infer<typeof WaitingList>

const HomeRow = z.object({
  sentence: z.string(),
  facts: TextOrNull,
  line: TextOrNull,
  until: InstantOrNull,
  /** It has ended, whatever the browser's clock says. */
  isOverdue: z.boolean(),
  since: InstantOrNull,
  verb: z.string(),
  to: TextOrNull,
})
export type HomeRow = z.infer<typeof HomeRow>

const FirstStep = z.object({
  name: z.string(),
  title: z.string(),
  isDone: z.boolean(),
  help: z.string(),
  to: TextOrNull,
  /** The reason of the administrator who skipped it; null while nobody has. */
  skippedFor: TextOrNull,
})
export type FirstStep = z.infer<typeof FirstStep>

/** A figure of yesterday, in words. */
const Figure = z.object({ name: z.string(), value: z.string(), change: z.string(), to: z.string() })
export type Figure = z.infer<typeof Figure>

/** The home of the administration (GET /api/admin/home). */
export const AdminHome = z.object({
  /** Work that waits, and failures; the most urgent first. */
  rows: z.array(HomeRow),
  /** How many things they tell of; more than a thousand are not counted. */
  things: z.int(),
  /** None if they could not be read. */
  figures: z.array(Figure),
  firstSteps: z.array(FirstStep),
  /** How things stand that run by themselves. */
  standings: z.array(z.string()),
  /** How many parts of it could not be read. */
  unread: z.int(),
})
export type AdminHome = z.infer<typeof AdminHome>

/** Characters of the note of a skipped step. */
export const longestNote = 500
