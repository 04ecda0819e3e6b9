import * as z from 'zod/mini'
import { isDay } from '../../../platform/time/site-time.ts'
import { hashInCover } from './cover-address.ts'
import { isKnownLanguage, canonicalTag } from './languages.ts'
import { findLinkFault } from './link-address.ts'
import { foldText } from './name-text.ts'

/**
 * Readers of the texts in which an operator writes the fields of an item (docs/spec/catalogue.md#item-fields).
 * Browser-safe. Every message says what is wrong with the field and what is allowed.
 */

type Context = z.core.ParsePayload

function read<Value>(reader: (given: string, context: Context) => Value) {
  return z.pipe(z.string(), z.transform<string, Value>(reader))
}

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
export function line(max: number) {
  return read((given, context): string | null => {
    if (given === '') return null
    if (given.length <= max && plain.test(given)) return given
    return judged(given.normalize('NFC').replace(/\s+/gu, ' ').trim(), max, context)
  })
}

/** The same with line breaks: one between lines, two between paragraphs. */
export function paragraphs(max: number) {
  return read((given, context): string | null => {
    if (given === '') return null
    const text = given
      .normalize('NFC')
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
    return judged(text, max, context)
  })
}

function judged(text: string, max: number, context: Context): string | null {
  if (!text.isWellFormed() || text.includes('\ufffd')) {
    return fault(context, 'holds a character that could not be read. Save the text as UTF-8.')
  }
  if (control.test(text.replaceAll('\n', ' ').replace(flag, ''))) {
    return fault(context, 'holds a control character. Only visible characters and spaces are allowed.')
  }
  if (!visible.test(text)) return null
  // The database counts characters as we do: by code points.
  const length = text.length <= max ? text.length : [...text].length
  if (length <= max) return text
  return fault(
    context,
    `has ${length.toLocaleString('en-US')} characters. At most ${max.toLocaleString('en-US')} are allowed.`,
  )
}

export function requiredLine(max: number) {
  return z.pipe(
    line(max),
    z.transform(
      (text: string | null, context): string => text ?? fault(context, `is missing. It needs 1 to ${max} characters.`),
    ),
  )
}

/** One of a list of words, in any case; empty gives `whenEmpty`, or is refused when that is undefined. */
export function word<const T extends string, E extends T | null | undefined>(allowed: readonly T[], whenEmpty: E) {
  return read((given, context): T | Exclude<E, undefined> => {
    const text = given.trim().toLowerCase()
    if (text === '' && whenEmpty !== undefined) return whenEmpty
    const found = allowed.find((candidate) => candidate === text)
    if (found !== undefined) return found
    const choice = `Use one of: ${allowed.join(', ')}${whenEmpty === undefined ? '' : '; or leave it empty'}.`
    return fault(context, text === '' ? `is missing. ${choice}` : `is ${quoted(given)}. ${choice}`)
  })
}

export const yesOrNo = read((given, context): boolean => {
  const text = given.trim().toLowerCase()
  if (text === 'true' || text === 'yes' || text === '1') return true
  if (text === '' || text === 'false' || text === 'no' || text === '0') return false
  return fault(context, `is ${quoted(given)}. Use true or false; empty means false.`)
})

export const slug = read((given, context): string | null => {
  const text = given.trim()
  if (text === '') return null
  if (text.length <= 120 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)) return text
  return fault(
    context,
    `is ${quoted(given)}. Use at most 120 lower-case letters a to z and digits, with single hyphens between them, or leave it empty to have it made from the name.`,
  )
})

export const optionalLink = read((given, context): string | null => {
  const text = given.trim()
  if (text === '') return null
  const wrong = findLinkFault(text)
  return wrong === null ? text : fault(context, `${wrong.message}. ${wrong.remedy}`)
})

export const mainLink = z.pipe(
  optionalLink,
  z.transform(
    (address: string | null, context): string =>
      address ?? fault(context, 'is missing. Give an http or https address.'),
  ),
)

/** A day of the site's time zone, or an instant with its offset, as milliseconds; a day stands for `instantOf(day)`. */
export function moment(instantOf: (day: string) => number) {
  // The rows of one file share their days, and a time zone's rules are slow to ask.
  const known = new Map<string, number>()
  return read((given, context): number | null => {
    const text = given.trim()
    if (text === '') return null
    const before = known.get(text)
    if (before !== undefined) return before
    const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
    // Date would take the 30th of February for the 1st of March.
    if (isDay(isInstant ? text.slice(0, 10) : text)) {
      const instant = isInstant ? Date.parse(text) : instantOf(text)
      if (!Number.isNaN(instant)) {
        if (!isInstant) known.set(text, instant)
        return instant
      }
    }
    return fault(
      context,
      `is ${quoted(given)}. Use a day like 2024-03-05 or a time with its offset like 2024-03-05T18:30:00+01:00, up to the year 9998, or leave it empty.`,
    )
  })
}

/**
 * Several texts between semicolons, trimmed and in their order; one that comes again, in other letters, counts once.
 * @param named the texts in words, such as `{ one: 'a name', many: 'names' }`
 */
export function list(most: number, one: z.ZodMiniType<string | null, string>, named: { one: string; many: string }) {
  return read((given, context): readonly string[] => {
    if (given === '') return []
    const texts = new Map<string, string>()
    for (const part of given.split(';')) {
      const { data: text, error } = one.safeParse(part)
      if (error !== undefined) return fault(context, `has ${named.one} that ${error.issues[0]?.message}`)
      if (text !== null && !texts.has(foldText(text))) texts.set(foldText(text), text)
    }
    if (texts.size <= most) return [...texts.values()]
    return fault(context, `has ${texts.size.toLocaleString('en-US')} ${named.many}. At most ${most} are allowed.`)
  })
}

/** The canonical tag of a language that is known, or none. */
export const language = read((given, context): string | null => {
  const text = given.trim()
  if (text === '') return null
  const tag = canonicalTag(text)
  if (tag !== undefined && isKnownLanguage(tag)) return tag
  return fault(context, `is not known: ${quoted(given)}. Use codes such as en or pt-BR.`)
})

/** A number from 0 to `max`, or none. */
export function number({ max, decimals }: { max: number; decimals: 0 | 1 }) {
  const written = decimals === 0 ? /^\d{1,16}$/ : /^\d{1,16}(\.\d)?$/
  return read((given, context): number | null => {
    const text = given.trim()
    if (text === '') return null
    if (written.test(text) && Number(text) <= max) return Number(text)
    const kind = decimals === 0 ? 'a whole number' : 'a number with at most one decimal'
    return fault(
      context,
      `is ${quoted(given)}. Use ${kind} from 0 to ${max.toLocaleString('en-US')}, or leave it empty.`,
    )
  })
}

/** The year of a work as it is typed, with exactly one whole number, or none. */
export const year = read((given, context): string | null => {
  const { data: text = null, error } = yearLine.safeParse(given)
  if (error === undefined && text === null) return null
  const number = text === null ? undefined : yearIn(text)
  if (number !== undefined && number >= -3000 && number <= 2999) return text
  return fault(
    context,
    `is ${quoted(given)}. Use one whole number from -3000 to 2999 in at most 20 characters, such as 1603 or c. 1603, or leave it empty.`,
  )
})
const yearLine = line(20)

/** The one whole number in a typed year; undefined where there is none, or more. */
export function yearIn(text: string): number | undefined {
  const [digits, second] = text.match(/\d+/g) ?? []
  if (digits === undefined || second !== undefined) return undefined
  return /(?<![\p{L}\p{N}])[-\u2212]\d/u.test(text) ? -Number(digits) : Number(digits)
}

export const sha256 = read((given, context): string | null => {
  const text = given.trim().toLowerCase()
  if (text === '') return null
  return /^[0-9a-f]{64}$/.test(text)
    ? text
    : fault(context, `is ${quoted(given)}. Use the 64 hexadecimal digits of a SHA-256, or leave it empty.`)
})

/** The picture of an item: the hash in an address of this site's, or another address as it is. */
export const cover = read((given, context): string | null => {
  const text = given.trim()
  if (text === '') return null
  const hash = text.startsWith('/') ? hashInCover(text) : undefined
  if (hash !== undefined) return hash
  const wrong = text.length > 2_000 ? { message: 'has more than 2,000 characters', remedy: '' } : findLinkFault(text)
  return wrong === null ? text : fault(context, `${wrong.message}. ${wrong.remedy}`.trim())
})

/** The input, as an error repeats it. */
export function quoted(text: string, maxCharacters = 60): string {
  return JSON.stringify(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text)
}

export const categoryName = requiredLine(60)
