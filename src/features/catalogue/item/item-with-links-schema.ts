import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { contentTypes, regions } from './content-type.ts'
import { linkSlots, linkStates } from './link-slots.ts'
import { ratings } from './rights.ts'

/** What every answer carries of an item. */
export const itemFields = {
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  category: z.string(),
  contentType: z.enum(contentTypes),
  region: z.enum(regions),
  postDate: Instant,
  createdAt: Instant,
  updatedAt: Instant,
  rating: z.enum(ratings),
}

/** Set on free items of early access, in answers to VIPs and administrators. */
export const vipFirstField = { vipFirst: z.optional(z.literal(true)) }

const link = z.nullable(z.string())

/** One item with its links, as the endpoints of items answer it. */
export const itemWithLinksFields = {
  ...itemFields,
  link,
  link2: link,
  linkG: link,
  linkP: link,
  linkMV1: link,
  linkMV2: link,
  linkMV3: link,
  linkMV4: link,
  rights: z.strictObject({ basis: z.string(), holder: z.nullable(z.string()), licence: z.nullable(z.string()) }),
}

/** A VIP item with its links and their health. A slot without one was not looked at yet. */
export const vipItemFields = {
  ...itemWithLinksFields,
  ...vipFirstField,
  health: z.partialRecord(
    z.enum(linkSlots),
    z.strictObject({ state: z.enum(linkStates), checkedAt: z.nullable(Instant) }),
  ),
}

/** The same as the browser reads it: what it does not know does not trouble it. */
export const VipItem = z.object(vipItemFields)
export type VipItem = z.infer<typeof VipItem>
