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
