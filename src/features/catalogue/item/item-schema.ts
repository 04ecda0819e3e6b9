import { z } from 'zod'
import { decodePayload } from './encoding.ts'
import { itemFields, itemWithLinksFields, vipFirstField, vipItemFields } from './item-with-links-schema.ts'

/** An item as lists carry it, without links. */
const ItemForList = z.strictObject({ ...itemFields, ...vipFirstField })

/** A page of the list. */
const ItemList = z.strictObject({
  data: z.array(ItemForList),
  total: z.int().nonnegative().meta({ description: 'How many match; a lower bound where totalIsExact is false.' }),
  totalIsExact: z.boolean(),
  totalPages: z.int().nonnegative(),
  nearest: z
    .array(ItemForList)
    .optional()
    .meta({ description: 'The nearest names, where a text was given and nothing matched.' }),
})

/** One item with its links. */
const Item = z.strictObject(itemWithLinksFields)

/** One VIP item with its links and their health. */
const VipItem = z.strictObject(vipItemFields)

/** The answer of the search. */
export const EncodedItemList = encoded(ItemList)
/** The answer of an item's endpoint. */
export const EncodedItem = encoded(Item)
/** The answer of a VIP item's endpoint. */
export const EncodedVipItem = encoded(VipItem)

/** `data` holds JSON as base64 with one further character inserted as the third. */
export function encoded(content: z.core.$ZodType) {
  const data = z
    .string()
    .refine((text) => z.safeParse(content, decodePayload(text)).success, 'data does not hold what is declared.')
    .meta({
      description:
        'JSON as UTF-8 and base64, with one further character inserted as the third: take it out and decode.',
      contentMediaType: 'application/json',
      contentSchema: z.toJSONSchema(content, { io: 'input' }),
    })
  return z.object({ data })
}
