import * as z from 'zod/mini'
import { InstantOrNull } from '../../../platform/time/instant-schema.ts'

const colour = z.string()

/** How the site looks, as administrators change it; what is empty is the house's own. */
export const Appearance = z.object({
  /** Like `#7a3fb0`. */
  colours: z.object({ asian: colour, western: colour, unknown: colour, vip: colour }),
  links: z.array(z.object({ label: z.string(), to: z.string() })),
  /** Days are those of the site's time zone, inclusive. */
  banner: z.object({ text: z.string(), to: z.string(), from: z.string(), until: z.string() }),
  mark: z.string(),
  /** Whether the mark stands without the name beside it. */
  hidesName: z.boolean(),
})
export type Appearance = z.infer<typeof Appearance>

/** The same with what the screen shows beside it (GET /api/appearance). */
export const AppearanceForAdmin = z.object({
  appearance: Appearance,
  /** A save names the version that it was read with; 0 before the first. */
  version: z.int(),
  changedAt: InstantOrNull,
  prices: z.array(z.object({ plan: z.string(), price: z.string() })),
  isSelling: z.boolean(),
})
export type AppearanceForAdmin = z.infer<typeof AppearanceForAdmin>

/** A stored mark (POST /api/appearance/mark). */
export const StoredMark = z.object({ mark: z.string() })
