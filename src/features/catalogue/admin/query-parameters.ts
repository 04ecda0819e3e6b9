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

/** A text of one line that must be given. */
export function line(name: string, max: number, description: string) {
  const error = `The parameter ${name} must be a text of 1 to ${max} visible characters.`
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(max, { error })
    .refine((text) => text.isWellFormed() && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text), { error })
    .meta({ description })
}
