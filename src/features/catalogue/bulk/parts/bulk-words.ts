import { counted } from '../../../../platform/counted.ts'
import { fieldsWith, lineOf, nameAlone } from '../../item/fields.ts'
import { basisNames } from '../../item/field-lines.ts'
import { linkSlots } from '../../item/link-slots.ts'
import type { BulkEditForAdmin, BulkOutcome } from '../bulk-schema.ts'
import { fieldLabel, statusNames } from '../../editing/parts/content-words.ts'
import type { ItemPath } from '../../editing/parts/form-values.ts'

/** The fields that an edit sets. */
export const bulkFields = fieldsWith({ isBulk: true })

const number = (count: number): string => count.toLocaleString('en-US')
const entries = (count: number): string => counted(count, 'entry', 'entries')

export const bulkStateNames: Readonly<Record<BulkEditForAdmin['state'], string>> = {
  previewing: 'Preview is being made',
  ready: 'Waits for you',
  applying: 'Being applied',
  done: 'Applied',
  undoing: 'Being undone',
  undone: 'Undone',
  failed: 'Failed',
  cancelled: 'Given up',
}

export const outcomeNames: Readonly<Record<BulkOutcome, string>> = {
  planned: 'Will change',
  refused: 'Refused',
  changed: 'Changed',
  skipped: 'Left out',
  undone: 'Undone',
  left: 'Not undone',
}

export function isAtWork({ state }: Pick<BulkEditForAdmin, 'state'>): boolean {
  return state === 'previewing' || state === 'applying' || state === 'undoing'
}

/** The labels of the fields on this page, by their names. */
export type FieldWords = Readonly<Record<string, string>>

/** @param hostLabels the names of the file hosts, after which links are named */
export function fieldWordsOf(hostLabels: readonly string[]): FieldWords {
  const labelOf = (name: (typeof bulkFields)[number]): string =>
    lineOf(name).group === 'formats' ? fieldLabel(name as ItemPath, hostLabels) : nameAlone(name)
  return {
    ...Object.fromEntries(bulkFields.map((name) => [name, labelOf(name)])),
    text: 'Name contains',
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

const choiceNames: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  ...Object.fromEntries(bulkFields.map((name) => [name, lineOf(name).kind.choices])),
  status: statusNames,
  action: { 'split-names': 'split into title and creator' },
  rightsBasis: { ...basisNames, none: 'None is recorded' },
}

export function valueInWords(field: string, value: string | number | boolean): string {
  if (value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field === 'separator') return `'${value}'`
  return choiceNames[field]?.[value] ?? String(value)
}

/** 'Category: Film, Rating: Mature'; nothing for an empty filter. */
export function valuesInWords(values: Readonly<Record<string, string | number | boolean>>, words: FieldWords): string {
  return Object.entries(values)
    .filter(([, value]) => value !== 'replace-host')
    .map(([field, value]) => `${words[field] ?? field}: ${valueInWords(field, value)}`)
    .join(', ')
}

/** The result of a preview or of the edit. */
export function countsInSentences({ state, selected, unchanged, counts }: BulkEditForAdmin): string[] {
  const { planned, refused, changed, skipped, undone, left } = counts
  const lines: string[] = []
  if (state === 'previewing') return [`${entries(selected)} found so far.`]
  if (state === 'ready') {
    if (selected === 0) return ['No entry fits the filter.']
    lines.push(`${entries(selected)} found. ${number(planned)} would change.`)
    if (unchanged > 0) lines.push(`${entries(unchanged)} ${unchanged === 1 ? 'is' : 'are'} so already.`)
    if (refused > 0) lines.push(`${entries(refused)} may not be changed in this way.`)
    return lines
  }
  if (changed + undone + left > 0) lines.push(`${entries(changed + undone + left)} changed.`)
  if (skipped > 0) lines.push(`${entries(skipped)} left out, for the ${skipped === 1 ? 'reason' : 'reasons'} below.`)
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
      : ['left', 'skipped', 'refused', 'changed', 'undone', 'planned']
  return order.filter((outcome) => counts[outcome] > 0)
}

/** The effect of the confirmation. */
export function applySentence(planned: number): string {
  const subject = planned === 1 ? 'One entry changes' : `${number(planned)} entries change`
  return `${subject}, checked anew. Entries that somebody changes meanwhile are left out. For 24 hours this can be undone.`
}

export function undoSentence(changed: number): string {
  const subject = changed === 1 ? 'One entry becomes what it was' : `${number(changed)} entries become what they were`
  return `${subject} before. Entries that somebody has changed since, or that may not be so any more, stay as they are.`
}
