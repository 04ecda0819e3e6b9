import * as z from 'zod/mini'
import { coverAddress, isForeignCover } from './cover-address.ts'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import {
  cover as coverReader,
  line as lineReader,
  mainLink,
  list as listReader,
  language as languageReader,
  moment,
  number as numberReader,
  optionalLink,
  paragraphs as paragraphsReader,
  requiredLine,
  sha256 as sha256Reader,
  slug,
  word,
  year as yearReader,
  yearIn,
  yesOrNo,
} from './field-readers.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/*
 * The kinds of field that an item has. A kind says how a value is read, stored, answered and typed in; the lines of
 * `fields.ts` use them. Browser-safe.
 */

/** A field of this kind: `Value` is in an item, `Answer` the schema of what the HTTP interface answers. */
export interface Kind<Value, Answer extends z.ZodMiniType = z.ZodMiniType> {
  readonly columnType: 'text' | 'boolean' | 'timestamptz' | 'text[]' | 'double precision' | 'bigint'
  /** Reads the text of a file; refuses it in a sentence that goes on from the field's name. */
  readonly reader: (timeZone: string) => z.ZodMiniType<Value, string>
  /** The text that `reader` reads back as it was; null: nothing. */
  textOf(value: Value, timeZone: string): string | boolean | null
  /** The value as a parameter of a statement. */
  toColumn(value: Value): string | number | boolean | null
  fromColumn(stored: unknown): Value
  readonly body: z.ZodMiniType
  /** The text for `reader` of what a request has. */
  textIn(sent: unknown): string
  readonly answer: Answer
  answerOf(value: Value, timeZone: string): unknown
  /** The text as it was typed, where the answer says less. */
  typedOf?(value: Value): string | undefined
  /** The text in a form for an answered value, and the value in a request for a typed text. */
  formOf(answer: unknown): string | boolean
  sentOf(typed: string | boolean): unknown
  /** The control in a form: a line or a text of `maxLength` characters, one of the `choices`, a tick, or a day. */
  readonly control: 'line' | 'text' | 'choice' | 'category' | 'tick' | 'day' | 'link'
  readonly maxLength?: number
  /** The words of the format, each with its name in forms. */
  readonly choices?: Readonly<Record<string, string>>
  /** The word that stands for an empty text. */
  readonly usual?: string | undefined
}

/** A text, number or flag as text; anything else as none. */
function written(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** One schema for all fields of a kind: the document of the interface has it once. */
function shared<Schema extends z.ZodMiniType>(id: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { id })
  return schema
}

const mustBe = (what: string) => ({
  error({ path = [] }: { path?: readonly PropertyKey[] | undefined }): string {
    return `${path.filter((part) => typeof part === 'string').join('.')} must be ${what}.`
  },
})

const textBody = shared('TextOfItem', z.nullish(z.string(mustBe('a text'))))
const flagBody = shared('FlagOfItem', z.nullish(z.boolean(mustBe('true or false'))))
const numberBody = shared('NumberOfItem', z.nullish(z.union([z.number(), z.string()], mustBe('a number, or its text'))))
const noSemicolons = mustBe('a list of names without semicolons')
const listBody = shared(
  'ListOfItem',
  z.nullish(z.union([z.literal(''), z.array(z.string().check(z.regex(/^[^;]*$/, noSemicolons)))], noSemicolons)),
)

const textsAnswer = shared('TextsOfItem', z.array(z.string()))

/** The facets that most kinds share: a text that is stored, answered and shown as it is. */
const asItIs = {
  columnType: 'text',
  body: textBody,
  textIn: written,
  formOf: (answer: unknown) => (answer ?? '') as string,
  sentOf: (typed: string | boolean) => (String(typed).trim() === '' ? null : typed),
  textOf: <T extends string | boolean | null>(value: T) => value,
  toColumn: <T extends string | boolean | null>(value: T) => value,
  answerOf: (value: unknown) => value,
} as const

/** A text on one line, or none. */
export function line(maxLength: number) {
  return {
    ...asItIs,
    reader: () => lineReader(maxLength),
    fromColumn: (stored: unknown) => stored as string | null,
    answer: TextOrNull,
    control: 'line',
    maxLength,
  } as const satisfies Kind<string | null>
}

/** A text on one line that no item is without. */
export function neededLine(maxLength: number) {
  return {
    ...asItIs,
    reader: () => requiredLine(maxLength),
    fromColumn: (stored: unknown) => stored as string,
    answer: z.string(),
    control: 'line',
    maxLength,
  } as const satisfies Kind<string>
}

/** Such a text that is absent from answers where there is none. */
export function optionalLine(maxLength: number) {
  return { ...line(maxLength), answer: z.optional(z.string()), answerOf: orAbsent } as const satisfies Kind<
    string | null
  >
}

function orAbsent<T>(value: T | null): T | undefined {
  return value ?? undefined
}

/** A text of several paragraphs, or none. */
export function paragraphs(maxLength: number) {
  return {
    ...optionalLine(maxLength),
    reader: () => paragraphsReader(maxLength),
    control: 'text',
  } as const satisfies Kind<string | null>
}

/** The picture of an item, by its hash, or none. In a file it may be the address that it is fetched from. */
export const cover = {
  ...optionalLine(2_000),
  reader: () => coverReader,
  textOf: coverText,
  answerOf: (value: string | null) => coverText(value) ?? undefined,
} as const satisfies Kind<string | null>

function coverText(value: string | null): string | null {
  return value === null || isForeignCover(value) ? value : coverAddress(value)
}

/** The 64 digits of a SHA-256, or none. */
export const sha256 = { ...optionalLine(64), reader: () => sha256Reader } as const satisfies Kind<string | null>

/** Several texts; a file separates them by semicolons. */
function list(reader: z.ZodMiniType<readonly string[], string>, maxLength: number) {
  return {
    columnType: 'text[]',
    reader: () => reader,
    textOf: (value: readonly string[]) => (value.length === 0 ? null : value.join('; ')),
    // An array travels as its text.
    toColumn: (value: readonly string[]) =>
      value.length === 0 ? null : `{${value.map((name) => JSON.stringify(name)).join(',')}}`,
    fromColumn: (stored: unknown) => (stored ?? []) as readonly string[],
    body: listBody,
    textIn: (sent: unknown) => (Array.isArray(sent) ? sent.join(';') : ''),
    answer: z.optional(textsAnswer),
    answerOf: (value: readonly string[]) => (value.length === 0 ? undefined : value),
    formOf: (answer: unknown) => ((answer ?? []) as readonly string[]).join('; '),
    sentOf: (typed: string | boolean) =>
      String(typed)
        .split(';')
        .filter((name) => name.trim() !== ''),
    control: 'line',
    maxLength,
  } as const satisfies Kind<readonly string[]>
}

export function names(most: number, maxLength: number, named = { one: 'a name', many: 'names' }) {
  return list(listReader(most, lineReader(maxLength), named), most * (maxLength + 2))
}

export function languages(most: number) {
  return list(listReader(most, languageReader, { one: 'a language', many: 'languages' }), most * 62)
}

/** A number from 0 to `max`, or none. */
export function number(bounds: { max: number; decimals: 0 | 1 }) {
  const reader = numberReader(bounds)
  return {
    ...asItIs,
    columnType: bounds.decimals === 0 ? 'bigint' : 'double precision',
    reader: () => reader,
    textOf: (value: number | null) => (value === null ? null : String(value)),
    toColumn: (value: number | null) => value,
    fromColumn: (stored: unknown) => (stored == null ? null : Number(stored)),
    body: numberBody,
    answer: z.optional(z.number()),
    answerOf: orAbsent,
    formOf: written,
    control: 'line',
  } as const satisfies Kind<number | null>
}

/** The year of a work: answered as its number, and as the typed text beside it where that says more. */
export const year = {
  ...optionalLine(20),
  reader: () => yearReader,
  body: numberBody,
  answer: z.optional(z.int()),
  answerOf: (value: string | null) => (value === null ? undefined : yearIn(value)),
  typedOf: (value: string | null) => (value === null || value === String(yearIn(value)) ? undefined : value),
  formOf: written,
} as const satisfies Kind<string | null>

export const category = { ...neededLine(60), control: 'category' } as const

/** The slug that is given; null: it is made from the name. */
export const slugText = {
  ...asItIs,
  reader: () => slug,
  fromColumn: (stored: unknown) => stored as string,
  answer: z.string(),
  // An item of the catalogue has one.
  answerOf: (value: string | null) => value ?? '',
  control: 'line',
} as const satisfies Kind<string | null>

/**
 * One of a list of words, by their names in forms; an empty text is `whenEmpty`, and is refused without it.
 * @param id the name of the list in the interface document
 */
export function choice<const Names extends Readonly<Record<string, string>>>(
  id: string,
  choices: Names,
  whenEmpty?: keyof Names & string,
) {
  type Word = keyof Names & string
  const words = Object.keys(choices) as Word[]
  return {
    ...asItIs,
    reader: () => word<Word, Word | undefined>(words, whenEmpty),
    fromColumn: (stored: unknown) => stored as Word,
    answer: z.enum(words).register(z.globalRegistry, { id }),
    control: 'choice',
    choices,
    usual: whenEmpty,
  } as const satisfies Kind<Word>
}

/** The same, or none. */
export function optional<const Names extends Readonly<Record<string, string>>>(
  ofWords: ReturnType<typeof choice<Names>>,
) {
  type Word = keyof Names & string
  const words = Object.keys(ofWords.choices) as Word[]
  return {
    ...ofWords,
    reader: () => word<Word, null>(words, null),
    fromColumn: (stored: unknown) => stored as Word | null,
    answer: z.nullable(ofWords.answer),
  } as const satisfies Kind<Word | null>
}

/** Yes or no; nothing means no. */
export const flag = {
  ...asItIs,
  columnType: 'boolean',
  body: flagBody,
  formOf: (answer: unknown) => answer === true,
  sentOf: (typed: string | boolean) => typed,
  reader: () => yesOrNo,
  fromColumn: (stored: unknown) => stored as boolean,
  answer: z.boolean(),
  control: 'tick',
} as const satisfies Kind<boolean>

/** An address, or none. */
export const link = {
  ...asItIs,
  reader: () => optionalLink,
  fromColumn: (stored: unknown) => stored as string | null,
  answer: TextOrNull,
  control: 'link',
} as const satisfies Kind<string | null>

/** The address that only a draft is without, which stands there as an empty text. */
export const neededLink = {
  ...link,
  reader: () => mainLink,
  fromColumn: (stored: unknown) => (stored ?? '') as string,
  answerOf: (value: string) => (value === '' ? null : value),
} as const satisfies Kind<string>

const anInstant = {
  ...asItIs,
  columnType: 'timestamptz',
  toColumn: (value: number | null) => (value === null ? null : new Date(value).toISOString()),
  control: 'day',
} as const

/** An instant in milliseconds since 1970, or none; a day stands for its beginning. */
export const firstDay = {
  ...anInstant,
  reader: (timeZone: string) => moment((day) => startOfDay(day, timeZone)),
  textOf: momentText,
  fromColumn: (stored: unknown) => (stored as Date | null)?.getTime() ?? null,
  answer: TextOrNull,
  answerOf: momentText,
} as const satisfies Kind<number | null>

/** The instant of an end, or none; its text names the last day. */
export const lastDay = {
  ...firstDay,
  reader: (timeZone: string) => moment((day) => startOfDay(addDays(day, 1), timeZone)),
  textOf: lastDayText,
  answerOf: lastDayText,
} as const satisfies Kind<number | null>

/** An instant that every stored item has; one that is not given is that of the writing. */
export const instantOrNow = {
  ...firstDay,
  fromColumn: (stored: unknown) => (stored as Date).getTime(),
  answer: Instant,
  answerOf: (value: number | null) => new Date(value ?? Number.NaN).toISOString(),
} as const satisfies Kind<number | null>

/** A day where the instant is its beginning, else the instant. */
function momentText(instant: number | null, timeZone: string): string | null {
  if (instant === null) return null
  const day = dayOf(instant, timeZone)
  return startOfDay(day, timeZone) === instant ? day : new Date(instant).toISOString()
}

/** The last day before an end that is the beginning of a day, else the instant of the end. */
export function lastDayText(end: number | null, timeZone: string): string | null {
  const text = momentText(end, timeZone)
  return text === null || text.includes('T') ? text : addDays(text, -1)
}
