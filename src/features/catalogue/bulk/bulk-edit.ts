import { z } from 'zod'
import { contentTypes, regions } from '../item/content-type.ts'
import type { ItemColumn } from '../item/item.ts'
import { peopleStatements, ratings, rightsBases } from '../item/rights.ts'

/** Statuses that a bulk edit can select: what was removed stays as it is. */
const editableStatuses = ['draft', 'published', 'restricted'] as const

const day = (name: string) => {
  const error = `${name} must be a day, such as 2024-03-05.`
  return z
    .string({ error })
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error })
    .refine((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text), { error })
}

const text = (name: string, max: number) => {
  const error = `${name} must be a text of at most ${max.toLocaleString('en-US')} characters.`
  return z
    .string({ error })
    .max(max, { error })
    .refine((given) => given.isWellFormed() && !given.includes('\0'), { error })
}

const oneOf = <const T extends readonly string[]>(name: string, values: T) =>
  z.enum(values, { error: `${name} must be one of ${values.join(', ')}.` })

/** The fault of the whole filter, or of the changes. */
function faultOf(name: 'filter' | 'changes', remedy: string): (issue: z.core.$ZodRawIssue) => string {
  const [is, has] = name === 'filter' ? ['is', 'has'] : ['are', 'have']
  return ({ code, input }) =>
    code === 'unrecognized_keys'
      ? `The ${name} ${has} a field that is not known.`
      : input === undefined
        ? `The ${name} ${is} missing. ${remedy}`
        : `The ${name} must be a JSON object.`
}

/** Which items; all conditions hold at once. */
export const BulkFilter = z
  .strictObject(
    {
      text: text('text', 300).optional().meta({ description: 'Words of the name, in any order.' }),
      contentType: oneOf('contentType', contentTypes).optional(),
      category: text('category', 60).optional().meta({ description: 'The name of a category.' }),
      status: oneOf('status', editableStatuses).optional(),
      postedFrom: day('postedFrom').optional(),
      postedTo: day('postedTo').optional().meta({ description: 'The last day.' }),
      rightsBasis: oneOf('rightsBasis', ['none', ...rightsBases])
        .optional()
        .meta({ description: 'none: no basis is recorded.' }),
    },
    { error: faultOf('filter', 'Send {} for all entries.') },
  )
  .refine(({ postedFrom, postedTo }) => postedFrom === undefined || postedTo === undefined || postedFrom <= postedTo, {
    error: 'The days are the wrong way round: postedFrom lies after postedTo.',
    path: ['postedFrom'],
  })
export type BulkFilter = z.infer<typeof BulkFilter>

const column = (name: ItemColumn, max = 2_000) => text(name, max).optional()

/** The changes: fields in the spelling of the import format, where an empty text removes the value. */
export const BulkChanges = z
  .strictObject(
    {
      category: column('category', 60),
      contentType: oneOf('contentType', contentTypes).optional(),
      region: oneOf('region', regions).optional(),
      rating: oneOf('rating', ratings).optional(),
      postDate: day('postDate').optional(),
      shiftDays: z
        .int({ error: 'The number of days must be a whole number.' })
        .min(-36_500, 'The number of days must lie between -36,500 and 36,500.')
        .max(36_500, 'The number of days must lie between -36,500 and 36,500.')
        .refine((days) => days !== 0, 'The number of days must not be 0.')
        .optional()
        .meta({ description: 'How many days later the post date becomes; negative for earlier.' }),
      rightsBasis: oneOf('rightsBasis', rightsBases).optional(),
      rightsHolder: column('rightsHolder', 300),
      licence: column('licence'),
      evidence: column('evidence'),
      permitsDownload: z.boolean({ error: 'permitsDownload must be true or false.' }).optional(),
      permitsPaidAccess: z.boolean({ error: 'permitsPaidAccess must be true or false.' }).optional(),
      validFrom: z.union([z.literal(''), day('validFrom')], { error: 'validFrom must be a day, or empty.' }).optional(),
      validTo: z.union([z.literal(''), day('validTo')], { error: 'validTo must be a day, or empty.' }).optional(),
      people: oneOf('people', peopleStatements).optional(),
      status: oneOf('status', ['draft', 'published']).optional(),
    },
    { error: faultOf('changes', 'Choose at least one change.') },
  )
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'Choose at least one change.')
  .refine(({ postDate, shiftDays }) => postDate === undefined || shiftDays === undefined, {
    error: 'Either set the post date or move it, not both.',
    path: ['shiftDays'],
  })
export type BulkChanges = z.infer<typeof BulkChanges>

/** A field of an item, before and after. */
export interface Difference {
  field: string
  before: string
  after: string
}
