import type * as z from 'zod/mini'
import {
  category,
  choice,
  cover,
  firstDay,
  flag,
  instantOrNow,
  languages,
  lastDay,
  line,
  names,
  neededLine,
  neededLink,
  number,
  optional,
  optionalLine,
  paragraphs,
  slugText,
  year,
} from './field-kinds.ts'
import {
  aLink,
  aRight,
  basisNames,
  type FieldLine,
  formatOf,
  peopleNames,
  ratingNames,
  regionNames,
  sha256Of,
  sizeOf,
  typeNames,
} from './field-lines.ts'
import { longestName } from './longest-name.ts'

/*
 * The one description of an item: a line for each field that an operator writes, in the order of the import format
 * (docs/spec/catalogue.md#item-fields). Files, requests, answers, forms, bulk edits, digests and statements are derived
 * from it. Browser-safe, but not small: the lists of visitors do without it (`listing.ts`).
 */

const ofRegion = choice('Region', regionNames)

/** A fact about the work; it needs no new clearance. */
const aFact = { group: 'entry', shown: 'detail', isBulk: true, isDigested: true } as const satisfies Partial<FieldLine>

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
    kind: choice('ContentType', typeNames),
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
    kind: { ...optional(ofRegion), answer: ofRegion.answer },
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
    kind: choice('Rating', ratingNames, 'general'),
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
    kind: optional(choice('RightsBasis', basisNames)),
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
    kind: optional(choice('PeopleShown', peopleNames)),
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
  description: {
    ...aFact,
    kind: paragraphs(5_000),
    column: 'description',
    label: 'Description',
    help: 'Plain text. An empty line begins a paragraph.',
  },
  language: {
    ...aFact,
    kind: languages(3),
    column: 'language',
    label: 'Language',
    help: 'Up to three language codes, such as en or pt-BR, separated by semicolons.',
  },
  year: {
    ...aFact,
    kind: year,
    column: 'year',
    label: 'Year of the work',
    help: 'Such as 1603, c. 1603, or -380 for 380 BC.',
  },
  series: { ...aFact, kind: optionalLine(200), column: 'series', label: 'Series' },
  seriesNumber: {
    ...aFact,
    kind: number({ max: 9_999, decimals: 1 }),
    column: 'series_number',
    label: 'Number in the series',
  },
  tags: {
    ...aFact,
    kind: names(20, 60, { one: 'a tag', many: 'tags' }),
    column: 'tags',
    label: 'Tags',
    help: 'Up to twenty, separated by semicolons.',
  },
  alsoKnownAs: {
    ...aFact,
    shown: 'list',
    kind: names(10, longestName, { one: 'a title', many: 'titles' }),
    column: 'also_known_as',
    label: 'Also known as',
    help: 'Up to ten further titles, separated by semicolons. They are searched too.',
  },
  // The form has a panel of its own for it, and the interface a call.
  cover: {
    kind: cover,
    column: 'cover',
    label: 'Cover',
    group: null,
    shown: 'detail',
    isDigested: true,
    isCleared: true,
  },
  linkFormat: formatOf('link'),
  linkSize: sizeOf('link'),
  linkSha256: sha256Of('link'),
  link2Format: formatOf('link2'),
  link2Size: sizeOf('link2'),
  link2Sha256: sha256Of('link2'),
  linkGFormat: formatOf('link_g'),
  linkGSize: sizeOf('link_g'),
  linkGSha256: sha256Of('link_g'),
  linkPFormat: formatOf('link_p'),
  linkPSize: sizeOf('link_p'),
  linkPSha256: sha256Of('link_p'),
  linkMV1Format: formatOf('link_mv1'),
  linkMV1Size: sizeOf('link_mv1'),
  linkMV1Sha256: sha256Of('link_mv1'),
  linkMV2Format: formatOf('link_mv2'),
  linkMV2Size: sizeOf('link_mv2'),
  linkMV2Sha256: sha256Of('link_mv2'),
  linkMV3Format: formatOf('link_mv3'),
  linkMV3Size: sizeOf('link_mv3'),
  linkMV3Sha256: sha256Of('link_mv3'),
  linkMV4Format: formatOf('link_mv4'),
  linkMV4Size: sizeOf('link_mv4'),
  linkMV4Sha256: sha256Of('link_mv4'),
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

export type AdminField = Exclude<FieldName, RightsField | FieldWith<{ shown: 'files' }>>
export const adminFields = fieldNames.filter(
  (name): name is AdminField => lineOf(name).group !== 'rights' && lineOf(name).shown !== 'files',
)

/** The fields that details show beside those of lists and the links. */
export const detailFields = [
  ...fieldsWith({ shown: 'detail', group: 'entry' }),
  'cover' as const,
  ...fieldsWith({ shown: 'detail', group: 'formats' }),
]
export const detailRights = fieldsWith({ shown: 'detail', group: 'rights' })

type ColumnOf<Name extends FieldName> = Fields[Name]['column']

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
