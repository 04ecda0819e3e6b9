import type { ContentType, Region } from './content-type.ts'
import { type Kind, link, number, optionalLine, sha256 } from './field-kinds.ts'
import type { peopleStatements, ratings, RightsBasis } from './rights.ts'

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

export const regionNames = { asian: 'Asian', western: 'Western' } as const satisfies Record<Region, string>

export const ratingNames = { general: 'General', mature: 'Mature' } as const satisfies Record<
  (typeof ratings)[number],
  string
>

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
  group: 'entry' | 'links' | 'formats' | 'rights' | 'people' | null
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
export const aLink = {
  kind: link,
  label: 'Link',
  group: 'links',
  shown: 'detail',
  isDigested: true,
  isCleared: true,
} as const satisfies Partial<FieldLine>

/** The rights are attested together: a change of one takes their verification away. */
export const aRight = {
  group: 'rights',
  isBulk: true,
  isDigested: true,
  isCleared: true,
} as const satisfies Partial<FieldLine>

/** Facts of the file behind a link, which a form names them after. Without the link they are refused (`faultsTogether`). */
const ofLink = { group: 'formats', shown: 'detail', isDigested: true } as const satisfies Partial<FieldLine>

const format = optionalLine(20)
export function formatOf<const Column extends string>(column: Column) {
  return { ...ofLink, kind: format, column: `${column}_format`, label: 'Format', isBulk: true } as const
}

const size = number({ max: Number.MAX_SAFE_INTEGER, decimals: 0 })
export function sizeOf<const Column extends string>(column: Column) {
  return { ...ofLink, kind: size, column: `${column}_size`, label: 'Bytes' } as const
}

export function sha256Of<const Column extends string>(column: Column) {
  return { ...ofLink, kind: sha256, column: `${column}_sha256`, label: 'SHA-256' } as const
}
