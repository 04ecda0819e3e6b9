import { z } from 'zod'
import { addDays, startOfDay } from '../../../platform/time/site-time.ts'
import { contentTypes, type Region, regionOfType, regions } from './content-type.ts'
import { findLinkFault } from './link-address.ts'
import { linkSlots } from './link-slots.ts'
import { longestName } from './longest-name.ts'
import { peopleStatements, ratings, rightsBases } from './rights.ts'

/**
 * The fields of an item that an operator writes (docs/spec/catalogue.md#item-fields), from text as a row of a file has
 * it. Browser-safe. Every message says what is wrong with the field and what is allowed.
 */

/** Instants lie within the years that every part of the system can write with four digits. */
const latestInstant = Date.parse('9999-12-31T00:00:00Z')

type Context = z.RefinementCtx<string>

function fault(context: Context, message: string): never {
  context.issues.push({ code: 'custom', message, input: context.value })
  return z.NEVER
}

/** Words of visible ASCII between single spaces: nothing to correct or refuse, and the case of most rows. */
const plain = /^[!-~]+( [!-~]+)*$/

/** A visible character; Unicode counts blank fillers among the letters, and the blank of Braille among the symbols. */
const visible = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u
/**
 * Control characters, and invisible ones that no script needs and that hide or turn text: tags, annotations, deprecated
 * formats. Joiners, direction marks and variation selectors belong to Persian, Indic and Japanese names and to emoji.
 */
const control = /[\p{Cc}\u202a-\u202e\u2066-\u206f\ufff0-\ufffb\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u
/** The flags of England, Scotland and Wales are spelt in tags. */
const flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu

/** Text on one line: doubled spaces folded, composed, `null` when nothing visible is left. */
function line(max: number) {
  return z.string().transform((given, context): string | null => {
    if (given === '') return null
    if (given.length <= max && plain.test(given)) return given
    const text = given.normalize('NFC').replace(/\s+/gu, ' ').trim()
    if (!visible.test(text)) return null
    if (control.test(text.replace(flag, ''))) {
      return fault(context, 'holds a control character. Only visible characters and spaces are allowed.')
    }
    if (!text.isWellFormed() || text.includes('\ufffd')) {
      return fault(context, 'holds a character that could not be read. Save the text as UTF-8.')
    }
    // The database counts characters as we do: by code points.
    const length = text.length <= max ? text.length : [...text].length
    if (length > max) {
      return fault(
        context,
        `has ${length.toLocaleString('en-US')} characters. At most ${max.toLocaleString('en-US')} are allowed.`,
      )
    }
    return text
  })
}

/** A line that may not be empty. */
export function requiredLine(max: number) {
  return line(max).transform(
    (text, context) => text ?? fault(context as unknown as Context, `is missing. It needs 1 to ${max} characters.`),
  )
}

/** One of a list of words, in any case; empty gives `whenEmpty`, or is refused when that is undefined. */
function word<const T extends string, E extends T | null | undefined>(allowed: readonly T[], whenEmpty: E) {
  return z.string().transform((given, context): T | Exclude<E, undefined> => {
    const text = given.trim().toLowerCase()
    if (text === '' && whenEmpty !== undefined) return whenEmpty
    const found = allowed.find((candidate) => candidate === text)
    if (found !== undefined) return found
    const choice = `Allowed: ${allowed.join(', ')}${whenEmpty === undefined ? '' : ', or nothing'}.`
    return fault(context, text === '' ? `is missing. ${choice}` : `is ${quoted(given)}. ${choice}`)
  })
}

const yesOrNo = z.string().transform((given, context): boolean => {
  const text = given.trim().toLowerCase()
  if (text === 'true' || text === 'yes' || text === '1') return true
  if (text === '' || text === 'false' || text === 'no' || text === '0') return false
  return fault(context, `is ${quoted(given)}. Allowed: true or false; nothing means false.`)
})

const slug = z.string().transform((given, context): string | null => {
  const text = given.trim()
  if (text === '') return null
  if (text.length <= 120 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)) return text
  return fault(
    context,
    `is ${quoted(given)}. Allowed: at most 120 small letters a to z and digits, in groups joined by single hyphens, or nothing: then it is made from the name.`,
  )
})

const optionalLink = z.string().transform((given, context): string | null => {
  const text = given.trim()
  if (text === '') return null
  const wrong = findLinkFault(text)
  return wrong === null ? text : fault(context, `${wrong.message}. ${wrong.remedy}`)
})

const mainLink = optionalLink.transform(
  (address, context) => address ?? fault(context as unknown as Context, 'is missing. Give an http or https address.'),
)

/** A day of the site's time zone, or an instant with its offset, as milliseconds; a day stands for `instantOf(day)`. */
export function moment(instantOf: (day: string) => number) {
  // The rows of one file share their days, and a time zone's rules are slow to ask.
  const known = new Map<string, number>()
  return z.string().transform((given, context): number | null => {
    const text = given.trim()
    if (text === '') return null
    const before = known.get(text)
    if (before !== undefined) return before
    const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
    if (text >= '1000' && (isInstant || /^\d{4}-\d{2}-\d{2}$/.test(text))) {
      try {
        // Building the day first refuses the 30th of February, which Date would take for the 1st of March.
        const startOfItsDay = startOfDay(text.slice(0, 10), 'UTC')
        const instant = isInstant ? Date.parse(text) : instantOf(text)
        if (!Number.isNaN(instant) && !Number.isNaN(startOfItsDay)) {
          const kept = Math.min(instant, latestInstant)
          if (!isInstant) known.set(text, kept)
          return kept
        }
      } catch {
        // Not a day of the calendar.
      }
    }
    return fault(
      context,
      `is ${quoted(given)}. Allowed: a day like 2024-03-05, an instant with its offset like 2024-03-05T18:30:00+01:00, or nothing.`,
    )
  })
}

/** What was given, as an error repeats it. */
export function quoted(text: string, maxCharacters = 60): string {
  return JSON.stringify(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text)
}

/** The name of a category. */
export const categoryName = requiredLine(60)

/**
 * Reads an item from texts, as the columns of a file hold them. Days begin and end in `timeZone`.
 *
 * An empty `region` is that of the type, western where the type has none. `validTo` names the last day on which the
 * rights hold (or the instant at which they end) and becomes the exclusive `validUntil`.
 */
export function itemText(timeZone: string) {
  const startOf = (day: string): number => startOfDay(day, timeZone)
  return z
    .object({
      name: requiredLine(longestName),
      slug,
      category: categoryName,
      contentType: word(contentTypes, undefined),
      region: word(regions, null),
      postDate: moment(startOf),
      link: mainLink,
      link2: optionalLink,
      linkG: optionalLink,
      linkP: optionalLink,
      linkMV1: optionalLink,
      linkMV2: optionalLink,
      linkMV3: optionalLink,
      linkMV4: optionalLink,
      rating: word(ratings, 'general'),
      rightsBasis: word(rightsBases, null),
      rightsHolder: line(300),
      licence: line(2_000),
      evidence: line(2_000),
      permitsDownload: yesOrNo,
      permitsPaidAccess: yesOrNo,
      validFrom: moment(startOf),
      validTo: moment((day) => startOf(addDays(day, 1))),
      people: word(peopleStatements, null),
      externalId: line(200),
    })
    .check(({ value, issues }) => {
      const own = regionOfType(value.contentType)
      if (own !== undefined && value.region !== null && value.region !== own) {
        issues.push({
          code: 'custom',
          path: ['region'],
          message: `is '${value.region}', but the content type '${value.contentType}' belongs to '${own}'. Leave the region empty, or change the type.`,
          input: value.region,
        })
      }
      if (value.validFrom !== null && value.validTo !== null && value.validFrom >= value.validTo) {
        issues.push({
          code: 'custom',
          path: ['validTo'],
          message: 'lies before validFrom. It must be later.',
          input: value.validTo,
        })
      }
    })
    .transform(({ validTo, ...item }) => ({
      ...item,
      region: item.region ?? regionOfType(item.contentType) ?? ('western' satisfies Region),
      validUntil: validTo,
    }))
}

/** An item as it was written; instants in milliseconds since 1970. */
export type Item = z.output<ReturnType<typeof itemText>>

/**
 * The texts an item is read from: the columns of the import format, in their order
 * (docs/spec/catalogue.md#import-columns).
 */
export const itemColumns = [
  'name',
  'slug',
  'category',
  'contentType',
  'region',
  'postDate',
  ...linkSlots,
  'rating',
  'rightsBasis',
  'rightsHolder',
  'licence',
  'evidence',
  'permitsDownload',
  'permitsPaidAccess',
  'validFrom',
  'validTo',
  'people',
  'externalId',
] as const
export type ItemColumn = (typeof itemColumns)[number]
