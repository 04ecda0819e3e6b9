import { z } from 'zod'
import { consentText } from '../../item/consent.ts'
import type { Cells } from '../../item/item-cells.ts'
import { type Item, type ItemColumn, itemColumns, itemText } from '../../item/item.ts'
import { findLinkFault } from '../../item/link-address.ts'
import { isLinkSlot, linkSlots } from '../../item/link-slots.ts'
import { adultAnswers } from '../../item/rights.ts'
import type { Refusal } from '../../publishing/publication-checks.ts'
import type { WrittenConsent } from '../../publishing/save-consents.server.ts'
import type { ItemForAdmin, Reason } from './content-schema.ts'

/*
 * The JSON of an item that an administrator sends (docs/spec/catalogue.md#writing-items). Its members are the texts of the
 * import format under the names of the interface: one set of rules reads both.
 */

const text = (field: string) => z.string({ error: `${field} must be a text.` }).nullish()
const flag = (field: string) => z.boolean({ error: `${field} must be true or false.` }).nullish()

/** Names what nobody may set: zod's own sentence would not say what to do. */
function onlyKnown(issue: z.core.$ZodRawIssue): string {
  return issue.code === 'unrecognized_keys'
    ? `${issue.keys.join(', ')} cannot be set. Leave ${issue.keys.length === 1 ? 'it' : 'them'} out.`
    : 'Send the fields of an item as a JSON object.'
}

const RightsBody = z.strictObject(
  {
    basis: text('rights.basis'),
    holder: text('rights.holder'),
    licence: text('rights.licence'),
    evidence: text('rights.evidence'),
    permitsDownload: flag('rights.permitsDownload'),
    permitsPaidAccess: flag('rights.permitsPaidAccess'),
    validFrom: text('rights.validFrom'),
    validTo: text('rights.validTo'),
  },
  { error: onlyKnown },
)

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

const fields = {
  name: text('name'),
  slug: text('slug').meta({ description: 'For a new item; it never changes.' }),
  category: text('category'),
  contentType: text('contentType'),
  region: text('region'),
  postDate: text('postDate').meta({
    description: 'A day of the time zone of the site, or an instant with its offset. Ahead: published then.',
  }),
  ...(Object.fromEntries(linkSlots.map((slot) => [slot, text(slot)])) as Record<
    (typeof linkSlots)[number],
    ReturnType<typeof text>
  >),
  rating: text('rating'),
  rights: RightsBody.nullish(),
  people: text('people'),
  publish: flag('publish').meta({ description: 'Publish it, if the gate lets it pass.' }),
}

/** A new item. */
export const NewItemBody = z.strictObject({ ...fields, consents: consentList(NewConsentBody) }, { error: onlyKnown })

const versionError = 'version must be the number that the item was read with.'

/** The fields of an item that no edit changes. */
export const readOnlyFields = [
  'id',
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
export const ChangedItemBody = z.strictObject(
  {
    ...fields,
    consents: consentList(ChangedConsentBody),
    ...(Object.fromEntries(readOnlyFields.map((field) => [field, z.unknown().meta(readOnlyNote).optional()])) as Record<
      ReadOnlyField,
      z.ZodOptional<z.ZodUnknown>
    >),
    version: z.int({ error: versionError }).min(1, versionError).max(2_147_483_647, versionError),
  },
  { error: onlyKnown },
)
export type NewItemBody = z.output<typeof NewItemBody>
export type ChangedItemBody = z.output<typeof ChangedItemBody>

/** The columns of the import format whose names differ in the body. */
const pathOfColumn: Partial<Record<ItemColumn, string>> = {
  rightsBasis: 'rights.basis',
  rightsHolder: 'rights.holder',
  licence: 'rights.licence',
  evidence: 'rights.evidence',
  permitsDownload: 'rights.permitsDownload',
  permitsPaidAccess: 'rights.permitsPaidAccess',
  validFrom: 'rights.validFrom',
  validTo: 'rights.validTo',
}

/** A refusal of the gate as the interface tells it. */
export function reasonOf({ code, field, message, remedy }: Refusal): Reason {
  return { code, field: pathOfColumn[field as ItemColumn] ?? field, sentence: message, remedy }
}

/** Stands for what cannot be read, so that the rest can be judged all the same. */
const placeholders: Partial<Record<ItemColumn, string>> = {
  name: '-',
  category: '-',
  contentType: 'western',
  link: 'https://example.org/',
}

export interface ReadItem {
  /** Only complete while there are no faults. */
  item: Item
  consents: WrittenConsent[]
  /** What cannot be stored, whatever the status. */
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
  const texts = { ...textsOf(before?.cells), ...textsIn(body) }
  const schema = itemText(timeZone)
  const first = schema.safeParse(texts)
  const faults = (first.error?.issues ?? []).map(({ path, message }): Reason => {
    const column = path[0] as ItemColumn
    return faultOf(column, texts[column], message)
  })
  const isUnreadable = new Set(first.error?.issues.map(({ path }) => path[0]))
  const item =
    first.data ??
    schema.parse(
      Object.fromEntries(
        itemColumns.map((column) => [column, isUnreadable.has(column) ? (placeholders[column] ?? '') : texts[column]]),
      ),
    )
  const { consents, faults: consentFaults } = readConsents(body, before?.consents ?? [], timeZone)
  return { item, consents, faults: [...faults, ...consentFaults] }
}

function faultOf(column: ItemColumn, given: string, message: string): Reason {
  const field = pathOfColumn[column] ?? column
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
  const emptied =
    rights === null ? Object.fromEntries(Object.keys(RightsBody.shape).map((name) => [name, null])) : rights
  const given: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(emptied ?? {})) {
    const column = (Object.keys(pathOfColumn) as ItemColumn[]).find((one) => pathOfColumn[one] === `rights.${name}`)
    if (column !== undefined) given[column] = value
  }
  return Object.fromEntries(
    itemColumns.filter((column) => given[column] !== undefined).map((column) => [column, textOf(given[column])]),
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
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
