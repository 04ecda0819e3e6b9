import { z } from 'zod'
import { decodePayload } from './encoding.ts'
import { itemFields, itemWithLinksFields, vipFirstField, vipItemFields } from './item-with-links-schema.ts'

export const ItemForList = z.strictObject({ ...itemFields, ...vipFirstField })

export const DecodedItemList = z.strictObject({
  data: z.array(ItemForList),
  total: z.int().nonnegative().meta({ description: 'How many match.' }),
  totalIsExact: z.literal(true),
  page: z.int().positive().meta({ description: 'Which page this is, from 1.' }),
  totalPages: z.int().nonnegative(),
  marks: z
    .array(z.partialRecord(z.enum(['name', 'alsoKnownAs', 'creators']), z.array(z.int())))
    .optional()
    .meta({
      description:
        'Where the text was found in each item, if that was asked for: beginnings and ends in turn, in UTF-16 units; of a list of names with "; " between them.',
    }),
  nearest: z
    .array(ItemForList)
    .optional()
    .meta({ description: 'The nearest names, where a text was given and nothing matched.' }),
  didYouMean: z
    .array(z.strictObject({ text: z.string(), count: z.int().positive() }))
    .max(3)
    .optional()
    .meta({ description: 'Other texts that find something under the same filters, where nothing matched.' }),
})

export const DecodedItem = z.strictObject(itemWithLinksFields)

export const DecodedVipItem = z.strictObject(vipItemFields)

export const EncodedItemList = encoded(DecodedItemList, 'DecodedItemList')
export const EncodedItem = encoded(DecodedItem, 'DecodedItem')
export const EncodedVipItem = encoded(DecodedVipItem, 'DecodedVipItem')

/**
 * `data` holds JSON as base64 with one further character inserted as the third.
 * @param name of the schema in the document of the interface
 */
export function encoded(content: z.core.$ZodType, name: string) {
  const data = z
    .string()
    .refine((text) => z.safeParse(content, decodePayload(text)).success, 'data does not hold what is declared.')
    .meta({
      description:
        'JSON as UTF-8 and base64, with one further character inserted as the third: take it out and decode.',
      contentMediaType: 'application/json',
      contentSchema: { $ref: `#/components/schemas/${name}` },
    })
  return z.object({ data })
}
