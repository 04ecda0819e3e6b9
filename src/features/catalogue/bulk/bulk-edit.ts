import { z } from 'zod'
import { isDay } from '../../../platform/time/site-time.ts'
import { contentTypes } from '../item/content-type.ts'
import { contentSections, listedStatuses } from '../editing/content-sections.ts'
import { type fields, fieldsWith, lineOf } from '../item/fields.ts'
import { longestName } from '../item/longest-name.ts'
import { findLinkFault } from '../item/link-address.ts'
import { rightsBases } from '../item/rights.ts'
import { maxChosen } from '../editing/max-chosen.ts'

const day = (name: string) => {
  const error = `${name} must be a day, such as 2024-03-05.`
  return z.string({ error }).refine(isDay, { error }).meta({ format: 'date' })
}

const text = (name: string, max: number) => {
  const error = `${name} must be a text of at most ${max.toLocaleString('en-US')} characters.`
  return z
    .string({ error })
    .max(max, { error })
    .refine((given) => given.isWellFormed() && !given.includes('\0'), { error })
}

const host = (name: string, part: 'host' | 'hostname' = 'hostname') =>
  text(name, 260)
    .transform((given) => given.trim().toLowerCase().replace(/\/$/, ''))
    // People read a host in its own letters; addresses have it encoded.
    .transform((given) =>
      /^[^/?#@\\]*\P{ASCII}[^/?#@\\]*$/u.test(given) ? (URL.parse(`https://${given}/`)?.[part] ?? given) : given,
    )
    .refine(
      (given) => URL.parse(`https://${given}/`)?.[part] === given && findLinkFault(`https://${given}/`) === null,
      {
        error: `${name} must be a host that visitors can reach on the public internet, such as files.example.org.`,
      },
    )

const oneOf = <const T extends readonly string[]>(name: string, values: T) =>
  z.enum(values, { error: `${name} must be one of ${values.join(', ')}.` })

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
      items: z
        .array(z.uuid({ error: 'items must be ids of items.' }), { error: 'items must be a list of ids.' })
        .min(1, 'items must name at least one item.')
        .max(maxChosen, `items must name at most ${maxChosen.toLocaleString('en-US')} items.`)
        .optional()
        .meta({ description: 'Ids of the items, selected one by one.' }),
      section: oneOf('section', contentSections)
        .optional()
        .meta({ description: 'A tab of the list for administrators.' }),
      search: text('search', longestName)
        .optional()
        .meta({ description: 'A search of that list: words of the title, other titles, creators, series and tags.' }),
      contentType: oneOf('contentType', contentTypes).optional(),
      category: text('category', 60).optional().meta({ description: 'The name of a category.' }),
      status: oneOf(
        'status',
        listedStatuses.filter((status) => status !== 'removed'),
      ).optional(),
      postedFrom: day('postedFrom').optional(),
      postedTo: day('postedTo').optional().meta({ description: 'The last day.' }),
      rightsBasis: oneOf('rightsBasis', ['none', ...rightsBases])
        .optional()
        .meta({ description: 'none: no basis is recorded.' }),
      linkHost: host('linkHost').optional().meta({ description: 'A link lies on this host, with or without `www.`.' }),
    },
    { error: faultOf('filter', 'Send {} for all entries.') },
  )
  .refine(({ postedFrom, postedTo }) => postedFrom === undefined || postedTo === undefined || postedFrom <= postedTo, {
    error: 'The days are the wrong way round: postedFrom lies after postedTo.',
    path: ['postedFrom'],
  })
export type BulkFilter = z.infer<typeof BulkFilter>

const bulkFields = fieldsWith({ isBulk: true })
type BulkField = (typeof bulkFields)[number]

type Change<Name extends BulkField> = (typeof fields)[Name]['kind'] extends {
  control: 'choice'
  choices: infer Choices
}
  ? keyof Choices & string
  : (typeof fields)[Name]['kind'] extends { control: 'tick' }
    ? boolean
    : string

/** How an edit has a field: in the spelling of the import format, a flag as it is. */
function changeOf(name: BulkField): z.ZodType {
  const { control, choices = {}, maxLength = 2_000 } = lineOf(name).kind
  if (control === 'choice') return oneOf(name, Object.keys(choices))
  if (control === 'tick') return z.boolean({ error: `${name} must be true or false.` })
  if (control === 'day') return z.union([z.literal(''), day(name)], { error: `${name} must be a day, or empty.` })
  return text(name, maxLength)
}

const changes = Object.fromEntries(bulkFields.map((name) => [name, changeOf(name).optional()])) as {
  [Name in BulkField]: z.ZodOptional<z.ZodType<Change<Name>>>
}

/** The changes: fields in the spelling of the import format, where an empty text removes the value. */
export const BulkChanges = z
  .strictObject(
    {
      ...changes,
      // An item always has one.
      postDate: day('postDate').optional(),
      shiftDays: z
        .int({ error: 'The number of days must be a whole number.' })
        .min(-36_500, 'The number of days must lie between -36,500 and 36,500.')
        .max(36_500, 'The number of days must lie between -36,500 and 36,500.')
        .refine((days) => days !== 0, 'The number of days must not be 0.')
        .optional()
        .meta({ description: 'How many days later the post date becomes; negative for earlier.' }),
      status: oneOf('status', ['draft', 'published']).optional(),
      action: oneOf('action', ['split-names', 'replace-host']).optional().meta({
        description:
          'split-names: a name without creators becomes title and creator. replace-host: links on `host` lead to `newHost`.',
      }),
      separator: text('separator', 20)
        .refine((given) => given.trim() !== '', { error: 'separator must not be empty.' })
        .optional()
        .meta({ description: 'The name is split at the last occurrence of this text.' }),
      host: host('host').optional().meta({ description: 'The host that links have now, with or without `www.`.' }),
      newHost: host('newHost', 'host')
        .optional()
        .meta({ description: 'With its port, where it has one. The rest of each address stays as it is.' }),
    },
    { error: faultOf('changes', 'Choose at least one change.') },
  )
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'Choose at least one change.')
  .refine(({ postDate, shiftDays }) => postDate === undefined || shiftDays === undefined, {
    error: 'Either set the post date or move it, not both.',
    path: ['shiftDays'],
  })
  .refine(({ action, separator }) => (action === 'split-names') === (separator !== undefined), {
    error: 'Names are split at a separator: send action and separator.',
    path: ['separator'],
  })
  .refine(
    ({ action, host, newHost }) => [host, newHost].every((one) => (action === 'replace-host') === (one !== undefined)),
    {
      error: 'A host is replaced by another one: send action, host and newHost.',
      path: ['newHost'],
    },
  )
  .refine(({ host, newHost }) => host === undefined || host !== newHost, {
    error: 'This is the host that the links have now.',
    path: ['newHost'],
  })
  .refine(({ action, creators }) => action !== 'split-names' || creators === undefined, {
    error: 'Either set the creators or split the names, not both.',
    path: ['separator'],
  })
export type BulkChanges = z.infer<typeof BulkChanges>

export interface Difference {
  field: string
  before: string
  after: string
}
