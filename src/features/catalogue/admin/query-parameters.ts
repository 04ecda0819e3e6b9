import { z } from 'zod'

/** A parameter of a query that counts from 1. */
export function wholeNumber(name: string, { max, byDefault }: { max: number; byDefault: number }) {
  const error = `The parameter ${name} must be a whole number from 1 to ${max.toLocaleString('en-US')}.`
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((number) => number >= 1 && number <= max, { error })
    .default(byDefault)
    .meta({ description: `A whole number from 1 to ${max.toLocaleString('en-US')}; ${byDefault} where none is given.` })
}

/** A text of a query that the database can take; empty where it is not given. */
export function textParameter(name: string, max: number, description: string) {
  const error = `The parameter ${name} must be a text of at most ${max} characters.`
  return z
    .string()
    .max(max, { error })
    .refine((text) => text.isWellFormed() && !text.includes('\0'), { error })
    .default('')
    .meta({ description })
}
