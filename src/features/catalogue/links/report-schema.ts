import { z } from 'zod'
import { textField } from '../../../http/body-fields.ts'
import { linkSlots } from '../item/link-slots.ts'

export const LinkReport = z.object({
  slug: textField('slug', 'The slug of the item.'),
  slot: z
    .enum(linkSlots, { error: `The field slot must be one of ${linkSlots.join(', ')}.` })
    .meta({ description: 'The field of the item that holds the link.' }),
})
