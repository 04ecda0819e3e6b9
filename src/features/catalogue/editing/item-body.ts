import { z } from 'zod'
import { consentText } from '../item/consent.ts'
import { adminFields, type FieldName, fieldNames, type fields, lineOf, pathOf, rightsFields } from '../item/fields.ts'
import { type OwnName, ownNameOf } from '../item/field-answers.ts'
import {
  type Cells,
  faultsTogether,
  followingFields,
  type Item,
  type ItemColumn,
  itemColumns,
  itemText,
} from '../item/item.ts'
import { yearIn } from '../item/field-readers.ts'
import { findLinkFault } from '../item/link-address.ts'
import { isLinkSlot } from '../item/link-slots.ts'
import { adultAnswers } from '../item/rights.ts'
import type { Refusal } from '../publishing/publication-checks.ts'
import type { WrittenConsent } from '../publishing/save-consents.server.ts'
import type { ItemForAdmin, Reason } from './content-schema.ts'

/*
 * The JSON of an item that an administrator sends (docs/spec/catalogue.md#writing-items). Its members are the texts of the
 * import format under the names of the interface: one set of rules reads both.
 */

type Bodies<Name extends FieldName> = {
  [Each in Name as OwnName<Each>]: (typeof fields)[Each]['kind']['body']
}

function bodiesOf<Name extends FieldName>(names: readonly Name[]): Bodies<Name> {
  return Object.fromEntries(names.map((name) => [ownNameOf(name), lineOf(name).kind.body])) as unknown as Bodies<Name>
}

const text = (field: string) => z.string({ error: `${field} must be a text.` }).nullish()
const flag = (field: string) => z.boolean({ error: `${field} must be true or false.` }).nullish()

/** Names what nobody may set: zod's own sentence would not say what to do. */
function onlyKnown(issue: z.core.$ZodRawIssue): string {
  return issue.code === 'unrecognized_keys'
    ? `${issue.keys.join(', ')} cannot be set. Leave ${issue.keys.length === 1 ? 'it' : 'them'} out.`
    : 'Send the fields of an item as a JSON object.'
}

const RightsBody = z.strictObject(bodiesOf(rightsFields), { error: onlyKnown }).meta({ id: 'RightsBody' })

const consentFields = {
  id: z.uuid({ error: 'The id of a consent is the one that the item came with.' }).optional(),
  pseudonym: text('pseudonym'),
  permitsPublication: flag('permitsPublication'),
  permitsDownload: flag('permitsDownload'),
  evidence: text('evidence'),
  verifiedAdult: z.enum(adultAnswers, { error: `verifiedAdult must be one of ${adultAnswers.join(', ')}.` }).optional(),
  validTo: text('validTo'),
  isWithdrawn: flag('isWithdrawn').meta({
    description: 'As it was read. Withdrawing a consent, and noting one given anew, have calls of their own.',
  }),
}

const readOnlyNote = { description: 'Read-only: as it was read, or left out.' }

const NewConsentBody = z.strictObject(consentFields, { error: onlyKnown })
const ChangedConsentBody = z.strictObject(
  { ...consentFields, withdrawnAt: text('withdrawnAt').meta(readOnlyNote) },
  { error: onlyKnown },
)

const consentList = <Body extends z.ZodType>(body: Body) =>
  z.array(body, { error: 'consents must be a list.' }).max(100, 'At most 100 consents.').optional()

const itemFields = {
  ...bodiesOf(adminFields),
  yearText: text('yearText').meta({
    description: 'The year as it was typed. If year is sent too, both must give the same year.',
  }),
  slug: text('slug').meta({ description: 'Without one it is made from the name.' }),
  postDate: text('postDate').meta({
    description: 'A day of the time zone of the site, or an instant with its offset. Ahead: published then.',
  }),
  rights: RightsBody.nullish(),
  publish: flag('publish').meta({ description: 'Publish it, if the gate lets it pass.' }),
}

export const NewItemBody = z
  .strictObject({ ...itemFields, consents: consentList(NewConsentBody) }, { error: onlyKnown })
  .meta({ id: 'NewItemBody' })

const versionError = 'version must be the number that the item was read with.'

export const readOnlyFields = [
  'id',
  'slug',
  'createdAt',
  'updatedAt',
  'status',
  'restriction',
  'heldBy',
  'lapsesAt',
  'postDay',
  'attestation',
  'verification',
  'requiresSecondPerson',
  'evidenceFiles',
  'reasons',
] as const satisfies (keyof ItemForAdmin)[]

export type ReadOnlyField = (typeof readOnlyFields)[number]

/** An edit of an item. A field that is left out stays as it is; null empties it. */
export const ChangedItemBody = z
  .strictObject(
    {
      ...itemFields,
      consents: consentList(ChangedConsentBody),
      ...(Object.fromEntries(
        readOnlyFields.map((field) => [field, z.unknown().meta(readOnlyNote).optional()]),
      ) as Record<ReadOnlyField, z.ZodOptional<z.ZodUnknown>>),
      version: z.int({ error: versionError }).min(1, versionError).max(2_147_483_647, versionError),
    },
    { error: onlyKnown },
  )
  .meta({ id: 'ChangedItemBody' })
export type NewItemBody = z.output<typeof NewItemBody>
export type ChangedItemBody = z.output<typeof ChangedItemBody>

export function reasonOf({ code, field, message, remedy }: Refusal): Reason {
  return {
    code,
    field: fieldNames.some((name) => name === field) ? pathOf(field as FieldName) : field,
    sentence: message,
    remedy,
  }
}

export interface ReadItem {
  /** Only complete while there are no faults. */
  item: Item
  consents: WrittenConsent[]
  /** Faults that no status may be stored with. */
  faults: Reason[]
}

/**
 * Reads an item over what is stored of it: what the body does not name stays.
 * @param before undefined for a new item
 */
export function readItemBody(
  body: NewItemBody,
  before: { cells: Cells; consents: ItemForAdmin['consents'] } | undefined,
  timeZone: string,
): ReadItem {
  const stored = textsOf(before?.cells)
  const texts = { ...stored, ...textsIn(body), ...yearOf(body, stored) }
  const schema = itemText(timeZone)
  const first = schema.safeParse(texts)
  const unread = (first.error?.issues ?? []).map(({ path, message }) => ({ field: path[0] as ItemColumn, message }))
  const isUnreadable = new Set(unread.map(({ field }) => field))
  // Another text stands for what cannot be read, so that the rest can be judged all the same.
  const item =
    first.data ??
    schema.parse(
      Object.fromEntries(
        itemColumns.map((column) => [column, isUnreadable.has(column) ? (lineOf(column).sample ?? '') : texts[column]]),
      ),
    )
  const together = faultsTogether(item).filter(
    ({ field, other }) => !isUnreadable.has(field) && !isUnreadable.has(other),
  )
  const faults = [...unread, ...together].map(({ field, message }) => faultOf(field, texts[field], message))
  const { consents, faults: consentFaults } = readConsents(body, before?.consents ?? [], timeZone)
  return { item, consents, faults: [...faults, ...yearFaults(body), ...consentFaults] }
}

/** The typed year is the text of both; without one the number is. */
function yearOf({ year, yearText }: NewItemBody, stored: Texts): Partial<Texts> {
  if (yearText != null && yearText.trim() !== '') return { year: yearText }
  return yearText === undefined || year !== undefined ? {} : { year: String(yearIn(stored.year) ?? '') }
}

function yearFaults({ year, yearText }: NewItemBody): Reason[] {
  if (year === undefined || yearText == null || yearText.trim() === '') return []
  if (year !== null && (String(yearIn(yearText)) === String(year).trim() || yearText === year)) return []
  return [
    {
      code: 'field.invalid',
      field: 'yearText',
      sentence: 'yearText and year give different years.',
      remedy: 'Send only one of them, or make them agree.',
    },
  ]
}

function faultOf(column: ItemColumn, given: string, message: string): Reason {
  const field = pathOf(column)
  const fault = isLinkSlot(column) && given.trim() !== '' ? findLinkFault(given.trim()) : null
  if (fault !== null) return { code: fault.code, field, sentence: `${field} ${fault.message}.`, remedy: fault.remedy }
  // The sentences of the import say first what is wrong, then what is allowed.
  const [, wrong = message, remedy = ''] = /^(.*?\.) (.*)$/s.exec(message) ?? []
  return { code: given.trim() === '' ? 'field.missing' : 'field.invalid', field, sentence: `${field} ${wrong}`, remedy }
}

type Texts = Record<ItemColumn, string>

function textsOf(cells: Cells | undefined): Texts {
  return Object.fromEntries(itemColumns.map((column) => [column, String(cells?.[column] ?? '')])) as Texts
}

function textsIn({ rights, ...body }: NewItemBody): Partial<Texts> {
  const texts: Partial<Texts> = {}
  const read = (name: FieldName, sent: unknown): void => {
    if (sent !== undefined) texts[name] = lineOf(name).kind.textIn(sent)
  }
  for (const name of adminFields) read(name, body[name])
  for (const [field, other] of followingFields) if (texts[other] === '') texts[field] ??= ''
  // Without rights each of them is emptied.
  if (rights !== undefined)
    for (const name of rightsFields) read(name, rights === null ? null : rights[ownNameOf(name)])
  return texts
}

function readConsents(
  { consents }: NewItemBody,
  before: ItemForAdmin['consents'],
  timeZone: string,
): Pick<ReadItem, 'consents' | 'faults'> {
  const faults: Reason[] = []
  const given =
    consents ??
    before.map(({ withdrawnAt, ...consent }): NonNullable<NewItemBody['consents']>[number] => ({
      ...consent,
      isWithdrawn: withdrawnAt !== null,
    }))
  const schema = consentText(timeZone)
  const names = new Set<string>()
  const read = given.map((consent, place): WrittenConsent => {
    const refuse = (code: string, field: string, sentence: string, remedy: string): void => {
      faults.push({ code, field: `consents.${place}.${field}`, sentence, remedy })
    }
    const stored = before.find(({ id }) => id === consent.id)
    if (consent.id !== undefined && stored === undefined) {
      refuse('consent.unknown', 'id', 'The item has no such consent.', 'Leave the id out of a new consent.')
    }
    const { data, error } = schema.safeParse({
      pseudonym: consent.pseudonym ?? '',
      evidence: consent.evidence ?? '',
      validTo: consent.validTo ?? '',
    })
    for (const { path, message } of error?.issues ?? []) {
      const [, wrong = message, remedy = ''] = /^(.*?\.) (.*)$/s.exec(message) ?? []
      refuse('field.invalid', String(path[0]), `${String(path[0])} ${wrong}`, remedy)
    }
    const { pseudonym, evidence, validUntil } = data ?? { pseudonym: '', evidence: '', validUntil: null }
    if (data !== undefined && names.has(pseudonym)) {
      refuse('consent.twice', 'pseudonym', `${pseudonym} stands here twice.`, 'Record one consent for each person.')
    }
    names.add(pseudonym)
    const verifiedAdult = consent.verifiedAdult ?? 'unknown'
    if (stored?.verifiedAdult === 'no' && verifiedAdult !== 'no') {
      refuse('consent.age_no', 'verifiedAdult', `${stored.pseudonym} was no adult at production.`, 'This is final.')
    }
    const wasWithdrawn = stored !== undefined && stored.withdrawnAt !== null
    const isWithdrawn = consent.isWithdrawn ?? wasWithdrawn
    if (wasWithdrawn && !isWithdrawn) {
      refuse(
        'consent.not_renewed_here',
        'isWithdrawn',
        `${stored.pseudonym} has withdrawn this consent.`,
        'Note a new consent by its own call, with its evidence.',
      )
    }
    if (!wasWithdrawn && isWithdrawn) {
      refuse(
        'consent.not_withdrawn_here',
        'isWithdrawn',
        'A consent is not withdrawn by saving the item.',
        'Withdraw it by its own call, which takes the item off the site at once.',
      )
    }
    return {
      id: stored?.id,
      pseudonym,
      evidence,
      validUntil,
      permitsPublication: consent.permitsPublication ?? false,
      permitsDownload: consent.permitsDownload ?? false,
      verifiedAdult,
      isWithdrawn: wasWithdrawn,
    }
  })
  for (const { id, pseudonym, verifiedAdult, withdrawnAt } of before) {
    if (read.some((consent) => consent.id === id)) continue
    if (verifiedAdult === 'no') {
      const sentence = `${pseudonym} was no adult at production.`
      faults.push({ code: 'consent.age_no', field: 'consents', sentence, remedy: 'This is final: the record stays.' })
    } else if (withdrawnAt !== null) {
      // The item still shows them.
      const sentence = `${pseudonym} withdrew the consent.`
      const remedy = 'The record of that stays, until a new consent takes its place.'
      faults.push({ code: 'consent.withdrawn', field: 'consents', sentence, remedy })
    }
  }
  return { consents: read, faults }
}
