import { itemAddressesIn, partsOfLine } from '../../catalogue/removal/typed-address.ts'
import {
  type ElementName,
  elementLabel,
  type NoticeFields,
  elementNames,
  isElementName,
} from '../notice/notice-elements.ts'
import { isGrave, type NoticeKind } from '../notice/notice-kinds.ts'
import { type NoticeFieldName, fieldsOf, type FormField, type NoticeForm, requests } from './notice-forms.ts'

/** Parses and validates the forms about notices. Browser-safe: page and server use the same rules. */

/** The raw texts by field name; an agreed statement is `on`. */
export type Typed = Partial<Record<NoticeFieldName, string>>

export interface Fault {
  field: NoticeFieldName
  message: string
}

export const maxAddresses = 50

/** In characters. */
export const maxLengths: Record<Exclude<ElementName, 'goodFaith' | 'accuracy' | 'perjury'>, number> = {
  name: 200,
  organization: 200,
  address: 1_000,
  phone: 60,
  email: 254,
  /** For each address. */
  itemUrls: 2_000,
  workDescription: 5_000,
  explanation: 5_000,
  lawCited: 500,
  signature: 200,
}

const ticks = ['goodFaith', 'accuracy', 'perjury'] as const
type Tick = (typeof ticks)[number]
const isTick = (name: ElementName): name is Tick => (ticks as readonly ElementName[]).includes(name)

/** Fields that keep their line breaks. */
const severalLines: ReadonlySet<ElementName> = new Set(['address', 'workDescription', 'explanation'])

/** One mailbox, as emails can be sent to it. */
const mailbox = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+\.[^\s\p{C}@<>()[\]\\,;:"]+$/u

/** The length of the whole address field, in characters: room for the most addresses at their longest. */
const maxAddressText = maxAddresses * (maxLengths.itemUrls + 2)
/** The lines of the address field. Lines may repeat or be empty. */
const maxLines = 20 * maxAddresses

/**
 * The addresses as typed, with the words about them, each once; a line without one as it is. It stops at one more than
 * a notice takes: somebody may send half a million characters.
 */
export function addressesIn(text: string): string[] {
  const found = new Set<string>()
  for (const line of text.slice(0, maxAddressText).split(/[\r\n]+/, maxLines)) {
    for (const part of partsOfLine(tidyLine(line), maxLengths.itemUrls)) found.add(part)
    if (found.size > maxAddresses) break
  }
  return [...found].slice(0, maxAddresses + 1)
}

/**
 * The addresses of a notice: those of its field, and for the two gravest kinds also item addresses in its explanation.
 */
export function reportedIn(kind: NoticeKind, { itemUrls = '', explanation = '' }: Typed): string[] {
  const urls = addressesIn(itemUrls)
  if (!isGrave(kind)) return urls
  const known = new Set(urls.flatMap(itemAddressesIn))
  return [...urls, ...itemAddressesIn(explanation).filter((address) => !known.has(address))].slice(0, maxAddresses)
}

/** The fields of a form that was sent; of a name that came twice the first. */
export function readTyped(values: FormData, names: readonly NoticeFieldName[]): Typed {
  const typed: Typed = {}
  for (const name of names) {
    const value = values.get(name)
    if (typeof value === 'string') typed[name] = value
  }
  return typed
}

/** The fields of a form; all others are ignored. */
export function namesIn(form: NoticeForm): NoticeFieldName[] {
  return [...fieldsOf(form).map(({ name }) => name), 'sending', 'incomplete']
}

/** The fields of a notice from a form; elements that the form lacks are ignored. */
export function fieldsIn(typed: Typed): NoticeFields {
  const text = (name: Exclude<ElementName, Tick | 'itemUrls'>): string | null => {
    const value = typed[name] ?? ''
    const tidy = severalLines.has(name) ? tidyText(value) : tidyLine(value)
    return tidy === '' ? null : tidy
  }
  return {
    name: text('name'),
    organization: text('organization'),
    address: text('address'),
    phone: text('phone'),
    email: text('email'),
    workDescription: text('workDescription'),
    explanation: text('explanation'),
    lawCited: text('lawCited'),
    goodFaith: isAgreed(typed.goodFaith),
    accuracy: isAgreed(typed.accuracy),
    perjury: isAgreed(typed.perjury),
    signature: text('signature'),
  }
}

export function kindOf(form: NoticeForm, typed: Typed): NoticeKind {
  return form === 'privacy' && typed.request === requests.consent ? 'consent' : form
}

/**
 * The longest text that a form shows again, in code units: long enough to be shortened by its author, and not half a
 * megabyte.
 */
export function longestShown(name: string): number {
  if (name === 'itemUrls') return maxAddressText
  return 4 * (name in maxLengths ? maxLengths[name as keyof typeof maxLengths] : 200)
}

/** All faults of a form, in the order of the elements. A missing element is no fault (`emptyFieldsIn`). */
export function faultsIn(typed: Typed): Fault[] {
  const faults: Fault[] = []
  for (const name of elementNames) {
    const value = typed[name]
    if (value === undefined) continue
    const message = isTick(name) ? undefined : faultOfText(name, value)
    if (message !== undefined) faults.push({ field: name, message })
  }
  return faults
}

/**
 * As `faultsIn`, for an incomplete notice. It needs words, and a named work or a way to ask its sender, unless a child
 * is at risk.
 */
export function faultsOfNotice(form: NoticeForm, typed: Typed): Fault[] {
  const faults = faultsIn(typed)
  if (faults.some(({ field }) => field === 'itemUrls' || field === 'explanation')) return faults
  if (!isEmpty(typed.workDescription) || reportedIn(kindOf(form, typed), typed).length > 0) return faults
  const isReachable = [typed.email, typed.phone, typed.address].some((way) => !isEmpty(way))
  if (isEmpty(typed.explanation))
    return [
      { field: 'itemUrls', message: 'Enter the address of an entry, or write what your notice is about.' },
      ...faults,
    ]
  if (isReachable || form === 'child-safety') return faults
  const work = form === 'copyright' ? ', describe your work,' : ','
  return [
    { field: 'itemUrls', message: `Enter the address of an entry${work} or give us a way to reach you.` },
    ...faults,
  ]
}

/** The required fields that are empty, each with what to do. */
export function emptyFieldsIn(fields: readonly FormField[], typed: Typed): Fault[] {
  return fields
    .filter(({ isRequired, name }) => isRequired && isEmpty(typed[name]))
    .filter(({ alternatives = [] }) => alternatives.every((name) => isEmpty(typed[name])))
    .map(({ name, ask }) => ({ field: name, message: ask }))
}

export function missingInForm(form: NoticeForm, typed: Typed): string[] {
  const fields = fieldsOf(form)
  return emptyFieldsIn(fields, typed).map(({ field }) =>
    isElementName(field)
      ? elementLabel(kindOf(form, typed), field)
      : (fields.find(({ name }) => name === field)?.label ?? field),
  )
}

/** The first fault of each field, in the order of the form. */
export function byField(fields: readonly FormField[], faults: readonly Fault[]): Fault[] {
  return fields.flatMap(({ name }) => faults.find(({ field }) => field === name) ?? [])
}

function isEmpty(text = ''): boolean {
  return !/[^\s\p{Cc}]/u.test(text)
}

function faultOfText(name: Exclude<ElementName, Tick>, value: string): string | undefined {
  if (value.includes('\0')) return 'This contains a character that we cannot store. Type it again.'
  if (name === 'itemUrls') return faultOfAddresses(value)
  const max = maxLengths[name]
  const tooLong = `Shorten this to ${max.toLocaleString('en-US')} characters or fewer.`
  // Tidying and counting half a million characters would block everybody.
  if (value.length > longestShown(name)) return tooLong
  const text = severalLines.has(name) ? tidyText(value) : tidyLine(value)
  if ([...text].length > max) return tooLong
  if (name === 'email' && text !== '' && !mailbox.test(text))
    return 'Enter an email address such as name@example.org, or leave this empty.'
  return undefined
}

function faultOfAddresses(text: string): string | undefined {
  const addresses = addressesIn(text)
  const isMore = text.length > maxAddressText || text.split(/[\r\n]+/, maxLines + 1).length > maxLines
  if (isMore || addresses.length > maxAddresses)
    return `A notice takes up to ${maxAddresses} addresses. Send the others in a second notice.`
  const max = maxLengths.itemUrls
  if (addresses.some((address) => address.length > max))
    return `Put each address on its own line. One may have up to ${max.toLocaleString('en-US')} characters.`
  return undefined
}

function isAgreed(value: string | undefined): boolean {
  return value === 'on' || value === 'true' || value === '1'
}

/** On one line, without invisible marks. */
function tidyLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function tidyText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .trim()
}
