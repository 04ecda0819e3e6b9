import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { adminFields, listFields, rightsFields } from '../item/fields.ts'
import { answersOf } from '../item/field-answers.ts'
import { adultAnswers } from '../item/rights.ts'
import { contentTabs, itemStatuses, listedStatuses } from './content-sections.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

export const Reason = z.object({
  /** Stable and dotted, for programs. */
  code: z.string(),
  /** The field of the body, such as `rights.basis` or `consents.0`. */
  field: z.string(),
  sentence: z.string(),
  remedy: z.string(),
})
export type Reason = z.infer<typeof Reason>

/** Why an item is restricted, where that was no person's decision. */
export const Restriction = z.nullable(z.enum(['rights_lapsed', 'consent', 'gate', 'notice']))

const shared = {
  id: z.string(),
  ...answersOf(listFields),
  createdAt: Instant,
  updatedAt: Instant,
  status: z.enum(itemStatuses),
  restriction: Restriction,
  /** An open notice, or a decision on one, that keeps it as it is; null where none does. */
  heldBy: z.nullable(z.enum(['notice', 'decision'])),
  version: z.int(),
  /** The end of its rights or of a consent, or null. For published items alone. */
  lapsesAt: InstantOrNull,
}

/** A line of the administrators' list. It carries no links. */
export const ContentRow = z.object({
  ...shared,
  /** The reasons against publishing a draft or a restricted item, in sentences. */
  reasons: z.array(z.string()),
})
export type ContentRow = z.infer<typeof ContentRow>

export const ContentList = z.object({
  data: z.array(ContentRow),
  total: z.int(),
  /** How many of them a bulk edit may look at: all but those that were removed. */
  editable: z.int(),
  totalPages: z.int(),
})
export type ContentList = z.infer<typeof ContentList>

export const EvidenceFile = z.object({
  id: z.string(),
  /** The consent that it belongs to; null: it belongs to the rights. */
  consentId: TextOrNull,
  fileName: z.string(),
  mediaType: z.string(),
  byteSize: z.int(),
  sha256: z.string(),
  storedAt: Instant,
})
export type EvidenceFile = z.infer<typeof EvidenceFile>

export const ItemForAdmin = z.object({
  ...shared,
  ...answersOf(adminFields),
  /** The day of the post date in the site's time zone. */
  postDay: z.string(),
  rights: z.object(answersOf(rightsFields)),
  /** The person who recorded the present rights, and the time; nobody sets it. Null while none are recorded. */
  attestation: z.nullable(
    z.object({
      /** The id of a member, or `operator` for the command line. */
      by: z.string(),
      /** Null for the command line, and for a deleted account. */
      name: TextOrNull,
      at: Instant,
      /** Whether whoever reads this has recorded them: then somebody else verifies them. */
      isOwn: z.boolean(),
    }),
  ),
  /** Which other person has verified the rights as they are, and when; it falls when the rights change. */
  verification: z.nullable(
    z.object({
      by: z.string(),
      /** Null for a deleted account. */
      name: TextOrNull,
      at: Instant,
    }),
  ),
  requiresSecondPerson: z.boolean(),
  consents: z.array(
    z.object({
      id: z.string(),
      pseudonym: z.string(),
      permitsPublication: z.boolean(),
      permitsDownload: z.boolean(),
      evidence: z.string(),
      verifiedAdult: z.enum(adultAnswers),
      validTo: TextOrNull,
      withdrawnAt: InstantOrNull,
    }),
  ),
  evidenceFiles: z.array(EvidenceFile),
  /** The reasons against publishing it now, whatever its status. */
  reasons: z.array(Reason),
})
export type ItemForAdmin = z.infer<typeof ItemForAdmin>

export const maxFilters = 20

/** A search and filters of the list under a name, for all administrators. '' is no filter. */
export const SavedFilter = z.object({
  id: z.string(),
  name: z.string(),
  section: z.enum(contentTabs),
  search: z.string(),
  category: z.string(),
  status: z.enum(['', ...listedStatuses]),
})
export type SavedFilter = z.infer<typeof SavedFilter>

export const SavedFilters = z.object({ filters: z.array(SavedFilter) })

export const EncodedAnswer = z.object({ data: z.string() })

export const CategoryNames = z.object({ categories: z.array(z.string()) })
export type CategoryNames = z.infer<typeof CategoryNames>
