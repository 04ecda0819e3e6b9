import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { detailFields, detailRights, listFields } from './fields.ts'
import { answersOf } from './field-answers.ts'
import { linkSlots, linkStates } from './link-slots.ts'

export const itemFields = { id: z.string(), ...answersOf(listFields), createdAt: Instant, updatedAt: Instant }

/** Set on free items of early access, in answers to VIPs and administrators. */
export const vipFirstField = { vipFirst: z.optional(z.literal(true)) }

/** The fields beside the links of one item. A published one has a basis. */
const factFields = {
  ...itemFields,
  ...answersOf(detailFields),
  rights: z.strictObject({ ...answersOf(detailRights), basis: z.string() }),
}

export type ItemForReader = z.infer<z.ZodMiniObject<typeof factFields>>

export const itemWithLinksFields = { ...factFields, ...answersOf(linkSlots) }

/** A VIP item with its links and their health. A slot without one was not looked at yet. */
export const vipItemFields = {
  ...itemWithLinksFields,
  ...vipFirstField,
  health: z.partialRecord(z.enum(linkSlots), z.strictObject({ state: z.enum(linkStates), checkedAt: InstantOrNull })),
}

/** The same as the browser reads it: what it does not know does not trouble it. */
export const VipItem = z.object(vipItemFields)
export type VipItem = z.infer<typeof VipItem>
