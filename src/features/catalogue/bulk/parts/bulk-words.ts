import { counted } from '../../../../platform/counted.ts'
import { fieldsWith, lineOf, nameAlone } from '../../item/fields.ts'
import { basisNames } from '../../item/field-lines.ts'
import { linkSlots } from '../../item/link-slots.ts'
import { hostInWords } from '../../item/host-in-words.ts'
import type { BulkEditForAdmin, BulkOutcome } from '../bulk-schema.ts'
import { fieldLabel, listedStatusNames, sectionNames } from '../../editing/parts/content-words.ts'
import type { ItemPath } from '../../editing/parts/form-values.ts'

export const bulkFields = fieldsWith({ isBulk: true })

const number = (count: number): string => count.toLocaleString('en-US')
const entries = (count: number): string => counted(count, 'entry', 'entries')

export const bulkStateNames: Readonly<Record<BulkEditForAdmin['state'], string>> = {
  previewing: 'Preparing the preview',
  ready: 'Ready to apply',
  applying: 'Applying',
  done: 'Applied',
  undoing: 'Undoing',
  undone: 'Undone',
  failed: 'Failed',
  cancelled: 'Discarded',
}

export const outcomeNames: Readonly<Record<BulkOutcome, string>> = {
  planned: 'Will change',
  excluded: 'Switched off',
  refused: 'Refused',
  changed: 'Changed',
  skipped: 'Skipped',
  undone: 'Undone',
  left: 'Not undone',
}

export function isAtWork({ state }: Pick<BulkEditForAdmin, 'state'>): boolean {
  return state === 'previewing' || state === 'applying' || state === 'undoing'
}

export type FieldWords = Readonly<Record<string, string>>

/** @param hostLabels the names of the file hosts, after which links are named */
export function fieldWordsOf(hostLabels: readonly string[]): FieldWords {
  const labelOf = (name: (typeof bulkFields)[number]): string =>
    lineOf(name).group === 'formats' ? fieldLabel(name as ItemPath, hostLabels) : nameAlone(name)
  return {
    ...Object.fromEntries(bulkFields.map((name) => [name, labelOf(name)])),
    section: 'Section',
    search: 'Search',
    status: 'Status',
    postedFrom: 'Posted from',
    postedTo: 'Posted until',
    shiftDays: 'Post date moves by days',
    name: 'Name',
    action: 'Names',
    separator: 'Split at',
    linkHost: 'Links on',
    host: 'Replace host',
    newHost: 'New host',
    ...Object.fromEntries(linkSlots.map((slot, place) => [slot, place === 0 ? 'Link' : `Link ${place + 1}`])),
  }
}

/** A sentence about a field, which it begins with, in the words of this page. */
export function reasonInWords(reason: string, words: FieldWords): string {
  const [word = ''] = reason.split(' ', 1)
  return `${Object.hasOwn(words, word) ? words[word] : word}${reason.slice(word.length)}`
}

const hostFields = new Set(['linkHost', 'host', 'newHost'])

const choiceNames: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  ...Object.fromEntries(bulkFields.map((name) => [name, lineOf(name).kind.choices])),
  section: sectionNames,
  status: listedStatusNames,
  action: { 'split-names': 'split into title and creator' },
  rightsBasis: { ...basisNames, none: 'None recorded' },
}

export function valueInWords(field: string, value: string | number | boolean): string {
  if (value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field === 'separator') return `'${value}'`
  if (hostFields.has(field)) return hostInWords(String(value))
  return choiceNames[field]?.[value] ?? String(value)
}

/** 'Category: Film, Rating: Mature'; nothing for an empty filter. */
export function valuesInWords(values: Readonly<Record<string, string | number | boolean>>, words: FieldWords): string {
  return Object.entries(values)
    .filter(([, value]) => value !== 'replace-host')
    .map(([field, value]) => `${words[field] ?? field}: ${valueInWords(field, value)}`)
    .join(', ')
}

/** Which entries an edit is of: 'All entries', '200 selected entries', 'Entries with Status: Draft'. */
export function whichInWords({ chosen, ...filter }: BulkEditForAdmin['filter'], words: FieldWords): string {
  if (typeof chosen === 'number') return counted(chosen, 'selected entry', 'selected entries')
  const conditions = valuesInWords(filter, words)
  return conditions === '' ? 'All entries' : `Entries with ${conditions}`
}

export function countsInSentences({ state, filter, selected, unchanged, counts }: BulkEditForAdmin): string[] {
  const { planned, excluded, refused, changed, skipped, undone, left } = counts
  const lines: string[] = []
  if (state === 'previewing') return [`${entries(selected)} found so far.`]
  if (state === 'ready') {
    const gone = typeof filter['chosen'] === 'number' ? filter['chosen'] - selected : 0
    lines.push(selected === 0 ? 'No entries match.' : `${entries(selected)} found. ${number(planned)} would change.`)
    if (excluded > 0) lines.push(`${entries(excluded)} switched off.`)
    if (unchanged > 0) lines.push(`${entries(unchanged)} already ${unchanged === 1 ? 'matches' : 'match'}.`)
    if (refused > 0) lines.push(`${entries(refused)} cannot be changed this way.`)
    if (gone > 0) lines.push(`${entries(gone)} deleted or removed since you selected ${gone === 1 ? 'it' : 'them'}.`)
    return lines
  }
  if (changed + undone + left > 0) lines.push(`${entries(changed + undone + left)} changed.`)
  if (skipped > 0) lines.push(`${entries(skipped)} skipped, for the ${skipped === 1 ? 'reason' : 'reasons'} below.`)
  if (excluded > 0) lines.push(`${entries(excluded)} switched off and not changed.`)
  if (refused > 0) lines.push(`${entries(refused)} refused.`)
  if (undone > 0) lines.push(`${entries(undone)} undone.`)
  if (left > 0) lines.push(`${entries(left)} not undone, for the ${left === 1 ? 'reason' : 'reasons'} below.`)
  if (planned > 0 && state !== 'applying') lines.push(`${entries(planned)} not reached.`)
  return lines
}

/** The outcomes that have items, those that need a look first. */
export function outcomesShown({ counts, state }: BulkEditForAdmin): BulkOutcome[] {
  const order: BulkOutcome[] =
    state === 'ready' || state === 'previewing'
      ? ['planned', 'refused']
      : ['left', 'skipped', 'refused', 'changed', 'undone', 'excluded', 'planned']
  return order.filter((outcome) => countOf(counts, state, outcome) > 0)
}

/** How many items stand in the list of an outcome: in a preview, those that were switched off stand among the planned ones. */
export function countOf(
  counts: BulkEditForAdmin['counts'],
  state: BulkEditForAdmin['state'],
  outcome: BulkOutcome,
): number {
  return counts[outcome] + (state === 'ready' && outcome === 'planned' ? counts.excluded : 0)
}

export function applySentence(planned: number): string {
  const subject = planned === 1 ? 'One entry changes' : `${number(planned)} entries change`
  return `${subject}, each checked once more. Entries that somebody else changes in the meantime are skipped. You can undo this for 24 hours.`
}

export function undoSentence(changed: number): string {
  const subject =
    changed === 1 ? 'One entry goes back to what it was' : `${number(changed)} entries go back to what they were`
  return `${subject}. Entries that somebody has changed since, or that the rules no longer allow, stay as they are.`
}
