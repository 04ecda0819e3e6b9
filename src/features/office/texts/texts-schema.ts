import * as z from 'zod/mini'
import { InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { siteTextGroups } from './site-text.ts'

export const SiteTextForAdmin = z.object({
  key: z.string(),
  label: z.string(),
  /** The place where it is shown. */
  help: z.string(),
  group: z.enum(siteTextGroups),
  kind: z.enum(['line', 'list', 'document', 'email', 'address', 'date']),
  /** The length of the whole text, or of one line of a list. */
  maxLength: z.int(),
  maxLines: z.nullable(z.int()),
  /** For a list that is a table: the parts of a line. */
  columns: z.nullable(z.int()),
  isOptional: z.boolean(),
  value: z.string(),
  /** The value in force while nobody has changed it. */
  firstValue: z.string(),
  isChanged: z.boolean(),
  /** A save names the version that it was read with. */
  version: z.int(),
  changedAt: InstantOrNull,
})
export type SiteTextForAdmin = z.infer<typeof SiteTextForAdmin>

/** All texts, in the order of their groups (GET /api/texts). */
export const SiteTextsForAdmin = z.object({ texts: z.array(SiteTextForAdmin) })
export type SiteTextsForAdmin = z.infer<typeof SiteTextsForAdmin>
