import * as z from 'zod/mini'
import { InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** A line of waiting work, with a link to the page where it is done. */
export const WaitingForAdmin = z.object({ sentence: z.string(), count: z.int(), to: z.string() })

/** The lines of the home and the counts of the navigation (GET /api/admin/waiting). */
export const WaitingList = z.object({ waiting: z.array(WaitingForAdmin) })
export type WaitingList = z.infer<typeof WaitingList>

/** The home of the administration (GET /api/admin/home). */
export const AdminHome = z.object({
  firstSteps: z.array(z.object({ title: z.string(), isDone: z.boolean(), help: z.string(), to: TextOrNull })),
  waiting: z.array(WaitingForAdmin),
  problems: z.array(z.object({ sentence: z.string(), at: InstantOrNull, to: TextOrNull })),
  /** How many parts of each list could not be read. */
  unread: z.object({ firstSteps: z.int(), waiting: z.int(), problems: z.int() }),
})
export type AdminHome = z.infer<typeof AdminHome>
