import * as z from 'zod/mini'
import { type ContentType, type Region, regions } from './content-type.ts'
import {
  category,
  choice,
  firstDay,
  flag,
  instantOrNow,
  type Kind,
  lastDay,
  line,
  link,
  names,
  neededLine,
  neededLink,
  optionalChoice,
  slugText,
} from './field-kinds.ts'
import { longestName } from './longest-name.ts'
import type { peopleStatements, ratings, RightsBasis } from './rights.ts'

/*
 * The one description of an item: a line for each field that an operator writes, in the order of the import format
 * (docs/spec/catalogue.md#item-fields). Files, requests, answers, forms, bulk edits, digests and statements are derived
 * from it. Browser-safe, but not small: the lists of visitors do without it (`listing.ts`).
 */

export const typeNames = {
  asian: 'Asian',
  western: 'Western',
  banned: 'Banned',
  unknown: 'Unknown',
  vip: 'VIP',
  'vip-asian': 'VIP Asian',
  'vip-western': 'VIP Western',
  'vip-banned': 'VIP Banned',
  'vip-unknown': 'VIP Unknown',
} as const satisfies Record<ContentType, string>

const regionNames = { asian: 'Asian', western: 'Western' } as const satisfies Record<Region, string>

const ratingNames = { general: 'General', mature: 'Mature' } as const satisfies Record<(typeof ratings)[number], string>

export const basisNames = {
  own_work: 'Own work',
  work_for_hire: 'Work for hire',
  license: 'Licence',
  assignment: 'Assignment',
  public_domain: 'Public domain',
  open_license: 'Open licence',
  statutory_exception: 'Statutory exception',
} as const satisfies Record<RightsBasis, string>

export const peopleNames = {
  none: 'Shows nobody',
  not_identifiable: 'Shows people who cannot be identified',
  identifiable: 'Shows people who can be identified',
} as const satisfies Record<(typeof peopleStatements)[number], string>

export interface FieldLine {
  kind: Kind<unknown>
  /** Its column of `items`; null: it is stored in another way (`save-items.server.ts`, `stored-item.server.ts`). */
  column: string | null
  /** Its name in the HTTP interface and in the form, where that is not its own. */
  path?: `rights.${string}`
  /** Its name in the form; a link is named after its host. */
  label: string
  /** Its name where no heading of a group stands above it. */
  labelAlone?: string
  /** The text beside the box of a flag. */
  sentence?: string
  help?: string
  /** The choice of none, by its name in the form. */
  emptyChoice?: string
  /** Its group in the form; null: the form does not show it. */
  group: 'entry' | 'links' | 'rights' | 'people' | null
  /** The narrowest audience: lists, which details and administrators have too; details; administrators; files alone. */
  shown: 'list' | 'detail' | 'administration' | 'files'
  /** Bulk edits change it. */
  isBulk?: true
  /** A row of an import is a changed one when it differs. */
  isDigested?: true
  /** A clearance covers it: it is part of the generated column `fingerprint`. */
  isCleared?: true
  /** A text that its reader takes, where it does not take the empty one. */
  sample?: string
}

/** The form names a link after its host. */
const aLink = {
  kind: link,
  label: 'Link',
  group: 'links',
  shown: 'detail',
  isDigested: true,
  isCleared: true,
} as const satisfies Partial<FieldLine>

/** The rights are attested together: a change of one takes their verification away. */
const aRight = {
  group: 'rights',
  isBulk: true,
  isDigested: true,
  isCleared: true,
} as const satisfies Partial<FieldLine>

export const fields = {
  name: {
    kind: neededLine(longestName),
    column: 'name',
    label: 'Name',
    group: 'entry',
    shown: 'list',
    isDigested: true,
    isCleared: true,
    sample: 'Any',
  },
  slug: { kind: slugText, column: 'slug', label: 'Slug', group: null, shown: 'list' },
  category: {
    kind: category,
    column: null,
    label: 'Category',
    emptyChoice: 'Choose a category',
    group: 'entry',
    shown: 'list',
    isBulk: true,
    isDigested: true,
    isCleared: true,
    sample: 'Any',
  },
  contentType: {
    kind: choice(typeNames),
    column: 'content_type',
    label: 'Type',
    group: 'entry',
    shown: 'list',
    isBulk: true,
    isDigested: true,
    isCleared: true,
    // A type without a region of its own: whatever the region is, it goes with it.
    sample: 'vip',
  },
  region: {
    // Stored it is never empty: without one it is that of the type.
    kind: { ...optionalChoice(regionNames), answer: z.enum(regions) },
    column: 'region',
    label: 'Region',
    emptyChoice: 'Western, if nothing is chosen',
    group: 'entry',
    shown: 'list',
    isBulk: true,
    isDigested: true,
    isCleared: true,
  },
  postDate: {
    kind: instantOrNow,
    column: 'post_date',
    label: 'Post date',
    group: 'entry',
    shown: 'list',
    isBulk: true,
    isDigested: true,
  },
  link: { ...aLink, kind: neededLink, column: 'link', sample: 'https://files.example/any' },
  link2: { ...aLink, column: 'link2' },
  linkG: { ...aLink, column: 'link_g' },
  linkP: { ...aLink, column: 'link_p' },
  linkMV1: { ...aLink, column: 'link_mv1' },
  linkMV2: { ...aLink, column: 'link_mv2' },
  linkMV3: { ...aLink, column: 'link_mv3' },
  linkMV4: { ...aLink, column: 'link_mv4' },
  rating: {
    kind: choice(ratingNames, 'general'),
    column: 'rating',
    label: 'Rating',
    group: 'entry',
    shown: 'list',
    isBulk: true,
    isDigested: true,
    isCleared: true,
  },
  rightsBasis: {
    ...aRight,
    kind: optionalChoice(basisNames),
    column: 'rights_basis',
    path: 'rights.basis',
    label: 'Basis',
    labelAlone: 'Rights basis',
    emptyChoice: 'Not recorded',
    shown: 'detail',
  },
  rightsHolder: {
    ...aRight,
    kind: line(300),
    column: 'rights_holder',
    path: 'rights.holder',
    label: 'Holder',
    labelAlone: 'Rights holder',
    help: 'Required for a licence, an assignment and a work for hire.',
    shown: 'detail',
  },
  licence: {
    ...aRight,
    kind: line(2_000),
    column: 'rights_licence',
    path: 'rights.licence',
    label: 'Licence',
    help: 'SPDX id or address.',
    shown: 'detail',
  },
  evidence: {
    ...aRight,
    kind: line(2_000),
    column: 'rights_evidence',
    path: 'rights.evidence',
    label: 'Evidence',
    help: 'A reference or address that proves the rights.',
    shown: 'administration',
  },
  permitsDownload: {
    ...aRight,
    kind: flag,
    column: 'permits_download',
    path: 'rights.permitsDownload',
    label: 'Downloads permitted',
    labelAlone: 'Permits downloads',
    sentence: 'They permit downloads',
    shown: 'administration',
  },
  permitsPaidAccess: {
    ...aRight,
    kind: flag,
    column: 'permits_paid_access',
    path: 'rights.permitsPaidAccess',
    label: 'Paid access permitted',
    labelAlone: 'Permits paid access',
    sentence: 'They permit paid access',
    shown: 'administration',
  },
  validFrom: {
    ...aRight,
    kind: firstDay,
    column: 'rights_valid_from',
    path: 'rights.validFrom',
    label: 'Valid from',
    labelAlone: 'Rights valid from',
    shown: 'administration',
  },
  validTo: {
    ...aRight,
    kind: lastDay,
    column: 'rights_valid_until',
    path: 'rights.validTo',
    label: 'Valid until',
    labelAlone: 'Rights valid until',
    help: 'The last day. Leave it empty for no end.',
    shown: 'administration',
  },
  people: {
    kind: optionalChoice(peopleNames),
    column: 'people',
    label: 'People',
    emptyChoice: 'Not stated',
    group: 'people',
    shown: 'administration',
    isBulk: true,
    isDigested: true,
    isCleared: true,
  },
  externalId: { kind: line(200), column: 'external_id', label: 'External id', group: null, shown: 'files' },
  creators: {
    kind: names(10, 200),
    column: 'creators',
    label: 'Creators',
    help: 'Up to ten, separated by semicolons.',
    group: 'entry',
    shown: 'list',
    isBulk: true,
    isDigested: true,
  },
} as const satisfies Record<string, FieldLine>

type Fields = typeof fields

/** A field by its name, which is also that of its column in files. */
export type FieldName = keyof Fields

export const fieldNames = Object.keys(fields) as FieldName[]

/** The fields whose lines say this. */
export type FieldWith<Said> = { [Name in FieldName]: Fields[Name] extends Said ? Name : never }[FieldName]

/** The names of the fields whose lines say this, in the order of the table. */
export function fieldsWith<const Said extends Partial<FieldLine>>(said: Said): FieldWith<Said>[] {
  const wanted = Object.entries(said)
  return fieldNames.filter((name) => {
    const line: Partial<Record<string, unknown>> = fields[name]
    return wanted.every(([key, value]) => line[key] === value)
  }) as FieldWith<Said>[]
}

/** The line of a field, where it does not matter which. */
export function lineOf(name: FieldName): FieldLine {
  return fields[name]
}

/** The name of a field where no heading of a group stands above it. */
export function nameAlone(name: FieldName): string {
  const { label, labelAlone = label } = lineOf(name)
  return labelAlone
}

/** The name of a field in the HTTP interface and in the form, such as `rights.basis`. */
export type PathOf<Name extends FieldName> = Name extends FieldName
  ? Fields[Name] extends { path: infer Path extends string }
    ? Path
    : Name
  : never

export function pathOf<Name extends FieldName>(name: Name): PathOf<Name> {
  return (lineOf(name).path ?? name) as PathOf<Name>
}

export type ValueOf<Name extends FieldName> = z.output<ReturnType<Fields[Name]['kind']['reader']>>

export const rightsFields = fieldsWith({ group: 'rights' })
export type RightsField = FieldWith<{ group: 'rights' }>
export const listFields = fieldsWith({ shown: 'list' })

/** The fields that administrators read and write through the HTTP interface, beside the rights. */
export type AdminField = Exclude<FieldName, RightsField | FieldWith<{ shown: 'files' }>>
export const adminFields = fieldNames.filter(
  (name): name is AdminField => lineOf(name).group !== 'rights' && lineOf(name).shown !== 'files',
)

/** The fields that details show beside those of lists and the links. */
export const detailFields = fieldsWith({ shown: 'detail', group: 'entry' })
export const detailRights = fieldsWith({ shown: 'detail', group: 'rights' })

/** The schemas of fields that stand side by side in answers, by their names there. */
type Answers<Name extends FieldName> = { [Each in Name as OwnName<Each>]: Fields[Each]['kind']['answer'] }

/** `basis` of `rights.basis`. */
export type OwnName<Name extends FieldName> = PathOf<Name> extends `rights.${infer Own}` ? Own : PathOf<Name>

export function ownNameOf<Name extends FieldName>(name: Name): OwnName<Name> {
  return pathOf(name).replace('rights.', '') as OwnName<Name>
}

export function answersOf<Name extends FieldName>(names: readonly Name[]): Answers<Name> {
  return Object.fromEntries(names.map((name) => [ownNameOf(name), fields[name].kind.answer])) as Answers<Name>
}

/** The same fields of an item as they are answered; days are those of `timeZone`. */
export function answersIn<Name extends FieldName>(
  item: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
  timeZone: string,
): { [Own in keyof Answers<Name>]: z.output<Answers<Name>[Own]> } {
  const answers: Record<string, unknown> = {}
  for (const name of names) answers[ownNameOf(name)] = lineOf(name).kind.answerOf(item[name], timeZone)
  return answers as never
}

type ColumnOf<Name extends FieldName> = Fields[Name]['column']

/** The fields that are stored in a column of their own. */
export type StoredField = Exclude<FieldName, FieldWith<{ column: null }>>
export const storedFields = fieldNames.filter(isStored)

export function isStored<Name extends FieldName>(name: Name): name is Name & StoredField {
  return lineOf(name).column !== null
}

/** Columns of `items` under the names of their fields, for the `select` of a query. */
export function columnsOf<Name extends StoredField>(
  names: readonly Name[],
): { [Each in Name]: `items.${ColumnOf<Each> & string} as ${Each}` }[Name][] {
  return names.map((name) => `items.${lineOf(name).column} as ${name}`) as never
}

/** The values of these fields in a row that a query has selected under their names. */
export function valuesIn<Name extends FieldName>(
  row: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): Record<Name, unknown> {
  const values: Partial<Record<Name, unknown>> = {}
  for (const name of names) values[name] = lineOf(name).kind.fromColumn(row[name])
  return values as Record<Name, unknown>
}
