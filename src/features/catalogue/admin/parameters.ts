import { z } from 'zod'

/** A page of a list, from 1 on. */
export function pageParameter(max = 1_000_000) {
  const error = `The parameter page must be a whole number from 1 to ${max.toLocaleString('en-US')}.`
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((number) => number >= 1 && number <= max, { error })
    .default(1)
    .meta({ description: `A whole number from 1 to ${max.toLocaleString('en-US')}; 1 where none is given.` })
}

/** The id of what is asked for, in a path; anything else is not found. */
export const uuidParams = (description: string) =>
  z.object({ id: z.uuid({ error: 'The id is not one of ours.' }).meta({ description }) })
