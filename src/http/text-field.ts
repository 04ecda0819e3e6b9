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

/** The one parameter `id` of a path. */
export function idParams(description: string) {
  return z.object({ id: z.string().meta({ description }) })
}

/** A whole number of a query, from 1; what it is without one, the caller says. */
export function pageNumber(name: string, { max }: { max: number }) {
  const error = `The parameter ${name} must be a whole number from 1 to ${max.toLocaleString('en-US')}.`
  return z
    .string({ error })
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((number) => number >= 1 && number <= max, { error })
    .meta({ description: `A whole number from 1 to ${max.toLocaleString('en-US')}.` })
}

/** The words of a search in a query. The address can spell what is no text to the database. */
export function searchParameter(maxLength: number, description: string) {
  const error = `search must be a text of at most ${maxLength} characters.`
  return z
    .string()
    .refine((text) => text.length <= maxLength && text.isWellFormed() && !text.includes('\0'), { error })
    .default('')
    .meta({ description, maxLength })
}
