import { z } from 'zod'

/**
 * A text of a body. Missing, it is empty, and the rules of its field say so. JSON can spell what is no text to the database:
 * halves of characters, and the character zero.
 */
export function textField(field: string, description: string) {
  const error = `The field ${field} must be a text.`
  return z
    .string({ error })
    .refine((text) => text.isWellFormed() && !text.includes('\0'), { error })
    .nullish()
    .transform((text) => text ?? '')
    .meta({ description })
}

/** A yes or no of a body; missing, it is no. */
export function flagField(field: string, description: string) {
  return z
    .boolean({ error: `The field ${field} must be true or false.` })
    .nullish()
    .transform((flag) => flag ?? false)
    .meta({ description })
}

/** A JSON object with these fields and no others. A body that is none is told which there are, in their order. */
export function strictBody<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape)
  const last = names.pop() ?? ''
  const all = names.length === 0 ? last : `${names.join(', ')} and ${last}`
  return z.strictObject(shape, { error: `Send ${all}, and nothing else.` })
}
