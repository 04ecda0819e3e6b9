import { z } from 'zod'
import { type AppError, defineError } from '../platform/errors.ts'
import { isUuid } from '../platform/uuid.ts'

/*
 * Parameters of paths and queries, each with the sentence for one that is wrong. An address can spell what is no text to
 * the database: halves of characters, and the character zero.
 */

/** The usual error of a request that does not fit its schemas. */
export const requestInvalid = defineError({
  code: 'request.invalid',
  status: 422,
  remedy: 'Correct the field that the answer names; the sentence says what is allowed.',
})

export const badParameter = defineError({
  code: 'search.parameter',
  status: 400,
  remedy: 'Correct the parameter that the answer names as its field.',
})

/**
 * An id in a path. An impossible id is answered as an unknown one (docs/spec/http.md#ids).
 * @param notFound what the use case throws for an id that it does not know
 */
export function idParameter(description: string, notFound: () => AppError, isId: (text: string) => boolean = isUuid) {
  return z
    .string()
    .refine((text) => {
      if (!isId(text)) throw notFound()
      return true
    })
    .meta({ description })
}

/** The same for a path whose one parameter is `id`. */
export function idParams(description: string, notFound: () => AppError, isId?: (text: string) => boolean) {
  return z.object({ id: idParameter(description, notFound, isId) })
}

/** The same for ids that are numbers. */
export function numberIdParams(description: string, notFound: () => AppError) {
  const isNumberId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)
  return z.object({ id: idParameter(description, notFound, isNumberId).transform(Number) })
}

/** A number that counts from 1. */
export function numberParameter(name: string, { max, byDefault }: { max: number; byDefault: number }) {
  return countedFromOne(name, max)
    .default(byDefault)
    .meta({ description: `A whole number from 1 to ${inDigits(max)}; ${inDigits(byDefault)} where none is given.` })
}

/** A number that counts from 1 and may be left out. */
export function optionalNumberParameter(name: string, { max, without }: { max: number; without: string }) {
  return countedFromOne(name, max)
    .optional()
    .meta({ description: `A whole number from 1 to ${inDigits(max)}. ${without}` })
}

/** A place in a list, after which it goes on; from its beginning without one. */
export function placeParameter(name: string, description: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: `The parameter ${name} must be a whole number.` })
    .transform(Number)
    .default(0)
    .meta({ description })
}

export function choiceParameter<const T extends readonly string[]>(name: string, choices: T) {
  return z.enum(choices, { error: `The parameter ${name} must be one of ${choices.join(', ')}.` })
}

/** A text, such as that of a search; empty by default. */
export function textParameter(name: string, max: number, description: string) {
  return textOfAtMost(name, max).default('').meta({ description })
}

export function optionalTextParameter(name: string, max: number, description: string) {
  return textOfAtMost(name, max).optional().meta({ description })
}

function textOfAtMost(name: string, max: number) {
  const error = `The parameter ${name} must be a text of at most ${inDigits(max)} characters.`
  return z
    .string()
    .max(max, { error })
    .refine((text) => text.isWellFormed() && !text.includes('\0'), { error })
}

/** The page of a list, from 1. */
export const pageParameter = numberParameter('page', { max: 1_000_000, byDefault: 1 })

/**
 * The place that the answer before it says is next.
 * @param read undefined for what no answer has said
 */
export function afterParameter<Place>(read: (text: string) => Place | undefined) {
  return z
    .string()
    .transform((text, context) => {
      const place = read(text)
      if (place !== undefined) return place
      context.addIssue({
        code: 'custom',
        message: 'The parameter after must be what the answer before it says is next.',
      })
      return z.NEVER
    })
    .optional()
    .meta({ description: 'The value of `next` in the answer before it.' })
}

/** A required text of one line, such as the name of a file. */
export function lineParameter(name: string, max: number, description: string) {
  const error = `The parameter ${name} must be a text of 1 to ${inDigits(max)} visible characters.`
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(max, { error })
    .refine((text) => text.isWellFormed() && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text), { error })
    .meta({ description })
}

function countedFromOne(name: string, max: number) {
  const error = `The parameter ${name} must be a whole number from 1 to ${inDigits(max)}.`
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((number) => number >= 1 && number <= max, { error })
}

function inDigits(number: number): string {
  return number.toLocaleString('en-US')
}

/** These parameters and no other: another one is refused with the list of them. */
export function strictParameters<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape)
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `There is no parameter ${String(keys[0]).slice(0, 80)} here. It takes ${names.join(', ') || 'none'}.`
        : undefined,
  })
}

/** The same of texts that may be left out. */
export function onlyParameters<const Names extends readonly string[]>(names: Names) {
  const shape = Object.fromEntries(names.map((name) => [name, z.string().optional()])) as Record<
    Names[number],
    z.ZodOptional<z.ZodString>
  >
  return strictParameters(shape).transform((query) => query as Record<string, string>)
}
