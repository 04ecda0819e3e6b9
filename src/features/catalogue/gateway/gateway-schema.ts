import * as z from 'zod/mini'

/** A download in the data export of a member. */
export const DownloadOfMember = z.object({
  /** `YYYY-MM-DD`, in the time zone of the site. */
  day: z.string(),
  itemId: z.string(),
  /** Its name; null where the member may not see it any more. */
  item: z.nullable(z.string()),
  slot: z.string(),
  host: z.string(),
})
export type DownloadOfMember = z.infer<typeof DownloadOfMember>

/** The data for rewriting links (GET /linkvertise-config). */
export const LinkGatewayConfig = z.object({
  /** The publisher id in force; null while Linkvertise is not the gateway. */
  activeAccount: z.nullable(z.string()),
  provider: z.enum(['local', 'linkvertise', 'off']),
  /** Links on these hosts and their subdomains are rewritten. */
  domains: z.array(z.string()),
})
