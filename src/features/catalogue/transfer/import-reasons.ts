import { quoted } from '../item/field-readers.ts'
import { itemColumns } from '../item/item.ts'
import { type Prohibition, prohibitionInWords } from '../publishing/prohibited-terms.ts'
import type { Refusal } from '../publishing/publication-checks.ts'

/* Why rows are rejected or held, in the words of the import format. */

export const restricted: Refusal = {
  code: 'item.restricted',
  field: 'status',
  message: 'The item is restricted by hand or by a notice: the row is held, and nothing of the item is changed.',
  remedy: 'Lift the restriction where it was made.',
}

export const held: Refusal = {
  code: 'item.held',
  field: 'status',
  message: 'A notice holds the item, or a decision on one: the row is held, and nothing of the item is changed.',
  remedy: 'Import it again when the notice is decided, or the decision reversed.',
}

/** The column that a text begins with; consents belong to the people. */
export function columnIn(text: string): string | null {
  const [word = ''] = text.split(/[ .:]/, 1)
  if (word === 'consents') return 'people'
  if (text.startsWith(`${prohibitedCategoryCode}:`)) return 'category'
  return itemColumns.find((column) => column === word) ?? null
}

export function reasonOf({ code, message, remedy }: Refusal): string {
  return `${code}: ${message} ${remedy}`
}

/** A reason of a rejects file without its code, for people. */
export function sentenceOf(reason: string): string {
  return reason.replace(/^[a-zA-Z]+\.[a-z_]+: /, '')
}

export function foreignCover(address: string): string {
  return `cover ${quoted(address)} lies on a host that is not in COVER_HOSTS. Name it there, or leave the cell empty and upload the picture.`
}

/** @param fault goes on from the address */
export function coverFault(address: string, fault: string): string {
  return `cover ${quoted(address)} ${fault}`
}

export const otherCover =
  'cover is the picture of another entry, or of none any more. Leave the cell empty, and upload the picture.'

export const missingCategoryCode = 'category.missing'

export function missingCategory(name: string): string {
  return `${missingCategoryCode}: The category '${name}' does not exist. Create it first, or let the import create categories.`
}

export function prohibitedCategory(name: string, found: Prohibition): string {
  return `${prohibitedCategoryCode}: The category '${name}' is not created: it holds ${prohibitionInWords(found)}.`
}

/** The gate has it, too. */
export const prohibitedCategoryCode = 'term.prohibited'

export function noRoomForCategory(name: string, max: number): string {
  return `category.no_room: The category '${name}' is not created: the site has ${max.toLocaleString('en-US')} categories, and no more are allowed.`
}
