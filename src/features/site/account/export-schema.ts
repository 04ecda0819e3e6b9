import * as z from 'zod/mini'
import { ExportWithAccount } from '../../accounts/account/account-schema.ts'
import { DownloadOfMember, ReadingOfMember } from '../../catalogue/saved/saved-schema.ts'
import { SavedSearch } from '../../catalogue/saved-searches/saved-search-schema.ts'
import { RequestsOfMember } from '../../requests/content-requests/request-schema.ts'
import { InquiryOfMember } from '../../requests/support/inquiry-schema.ts'
import { MembershipForMember } from '../../membership/account/membership-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** Everything that the site keeps of a member: their account, and what they have paid for and downloaded (GET /auth/export). */
export const MemberExport = z.object({
  ...ExportWithAccount.shape,
  membership: z.object({
    ...MembershipForMember.shape,
    stripeCustomer: TextOrNull,
    /** The entry from whose page the last checkout began, while it is recorded. */
    checkoutFromEntry: TextOrNull,
  }),
  downloads: z.array(DownloadOfMember),
  reading: ReadingOfMember,
  searches: z.array(SavedSearch),
  requests: RequestsOfMember,
  inquiries: z.array(InquiryOfMember),
})
