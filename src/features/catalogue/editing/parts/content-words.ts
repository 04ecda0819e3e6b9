import { dayInWords } from '../../../../browser/format-instant.ts'
import type { ContentRow, ItemForAdmin } from '../content-schema.ts'
import type { ListedStatus } from '../content-sections.ts'
import type { FileHost } from '../../catalogue-config.server.ts'
import { lineOf } from '../../item/fields.ts'
import { placeOf } from '../../item/file-hosts.ts'
import { hostInWords } from '../../item/host-in-words.ts'
import { isLinkSlot, type ItemLinks, linkOfFormat, type LinkSlot, slotsOfHosts } from '../../item/link-slots.ts'
import { type ConsentValues, fieldAt, type FormFieldName, type FormValues, type ItemPath } from './form-values.ts'

/** How one entry stands, where no more is known of it; the filters of lists have words for many. */
export const statusNames = {
  draft: 'Draft',
  published: 'Published',
  restricted: 'Taken off the site',
  removed: 'Removed',
} as const

export const listedStatusNames: Readonly<Record<ListedStatus, string>> = {
  draft: 'Draft',
  published: 'Published or scheduled',
  scheduled: 'Scheduled',
  restricted: 'Hidden or lapsed',
  hidden: 'Hidden',
  lapsed: 'Lapsed',
  removed: 'Removed',
}

export const sectionNames = {
  asian: 'Asian',
  western: 'Western',
  vip: 'VIP',
  banned: 'Banned',
  unknown: 'Unknown',
} as const

export const tabNames = { all: 'All', ...sectionNames } as const

export const adultNames = { yes: 'Verified', no: 'No', unknown: 'Not verified' } as const

/** Labelled by the host that each slot is of (docs/spec/pages.md#download-buttons). */
export function slotLabel(slot: LinkSlot, hostLabels: readonly string[]): string {
  for (const [place, [own, alternate]] of Object.values(slotsOfHosts).entries()) {
    const label = hostLabels[place] ?? ''
    if (slot === own) return label
    if (slot === alternate) return `${label} alternate`
  }
  return slot === 'link2' ? 'Second link' : 'Another alternate'
}

/** The links in the order in which they are offered, then the two that details do not show. */
export const slotsInOrder: readonly LinkSlot[] = [
  'link',
  'linkMV1',
  'linkG',
  'linkMV3',
  'linkP',
  'linkMV2',
  'link2',
  'linkMV4',
]

/**
 * A label for each slot: the host to which its stored link leads, with a number where one stands already; an empty slot
 * has that of its place.
 */
export function slotLabels(
  stored: Partial<ItemLinks> | undefined,
  fileHosts: readonly FileHost[],
): Readonly<Record<LinkSlot, string>> {
  const usual = fileHosts.map(({ label }) => label)
  const times = new Map<string, number>()
  return Object.fromEntries(
    slotsInOrder.map((slot) => {
      const address = stored?.[slot] ?? ''
      const label = URL.canParse(address) ? hostInWords(placeOf(address, fileHosts).label) : slotLabel(slot, usual)
      const time = (times.get(label) ?? 0) + 1
      times.set(label, time)
      return [slot, time === 1 ? label : `${label} ${time}`]
    }),
  ) as Record<LinkSlot, string>
}

export function fieldLabel(name: FormFieldName, hostLabels: readonly string[]): string {
  if (name === 'consents') return 'Consents'
  const field = fieldAt(name)
  const link = linkOfFormat.find(([format]) => format === field)?.[1]
  if (link !== undefined) return `${slotLabel(link, hostLabels)}: ${lineOf(field).label}`
  return isLinkSlot(field) ? slotLabel(field, hostLabels) : lineOf(field).label
}

export function valueInWords(values: FormValues, name: FormFieldName): string {
  const value = values[name]
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string') return value.length === 0 ? 'None' : value.map(consentInWords).join('\n')
  return value === '' ? 'Empty' : (lineOf(fieldAt(name as ItemPath)).kind.choices?.[value] ?? value)
}

function consentInWords({
  pseudonym,
  permitsPublication,
  permitsDownload,
  verifiedAdult,
  ...rest
}: ConsentValues): string {
  return [
    pseudonym === '' ? 'Nobody named' : pseudonym,
    permitsPublication ? 'publication' : 'no publication',
    permitsDownload ? 'download' : 'no download',
    `adult: ${verifiedAdult}`,
    ...(rest.validTo === '' ? [] : [`until ${rest.validTo}`]),
    ...(rest.isWithdrawn ? ['withdrawn'] : []),
    rest.evidence,
  ].join(', ')
}

/** The last day before rights or a consent end. */
export function lapseInWords(lapsesAt: string): string {
  return `until ${dayInWords(new Date(Date.parse(lapsesAt) - 1).toISOString())}`
}

type Standing = Pick<ContentRow, 'status' | 'restriction' | 'postDate'>

export const standingNames = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  hidden: 'Hidden',
  lapsed: 'Lapsed',
  removed: 'Removed',
} as const

/** How an item stands now. Hidden is what people or a notice took off the site, lapsed what the site took off by itself. */
export function standingOf(item: Standing, now: number): keyof typeof standingNames {
  if (isScheduled(item, now)) return 'scheduled'
  if (item.status !== 'restricted') return item.status
  return item.restriction === null || item.restriction === 'notice' ? 'hidden' : 'lapsed'
}

export function isScheduled({ status, postDate }: Pick<ContentRow, 'status' | 'postDate'>, now: number): boolean {
  return status === 'published' && Date.parse(postDate) > now
}

export function standingInWords(item: Standing, now: number): string {
  if (isScheduled(item, now)) return `Scheduled for ${dayInWords(item.postDate)}`
  return standingNames[standingOf(item, now)]
}

export function noticeInWords({ heldBy, status }: Pick<ContentRow, 'heldBy' | 'status'>): string | undefined {
  if (heldBy === 'notice') return 'A notice about this entry is open.'
  if (status === 'removed') return 'A decision on a notice has removed this entry.'
  return heldBy === 'decision' ? 'A decision on a notice keeps this entry off the site.' : undefined
}

export function restrictionInWords({ restriction }: Pick<Standing, 'restriction'>): string {
  if (restriction === 'rights_lapsed') return 'Its rights have ended.'
  if (restriction === 'consent') return 'A consent was withdrawn, or has ended.'
  if (restriction === 'gate') return 'The site took it down because it no longer passes the publishing checks.'
  return restriction === 'notice' ? 'It is hidden while a notice is handled.' : 'It was hidden by hand.'
}

export function keptInWords(sections: readonly (keyof typeof sectionNames)[]): string {
  const names = sections.map((section) => `'${sectionNames[section]}'`)
  return `Your draft of a new entry under ${names.join(' and ')} is kept there.`
}

type Signature = NonNullable<ItemForAdmin['verification']>

/** 'Jane Reader on March 5, 2024': who recorded the rights as they are stored, or verified them. */
export function signatureInWords({ by, name, at }: Signature): string {
  const who = name ?? (by === 'operator' ? 'the command line' : 'a deleted account')
  return `${who} on ${dayInWords(at)}`
}

export function reasonsInWords(reasons: readonly string[]): string | undefined {
  const [first] = reasons
  if (first === undefined) return undefined
  const more = reasons.length - 1
  return more === 0 ? first : `${first} And ${more === 1 ? 'one more reason' : `${more} more reasons`}.`
}

/** The sentence where a needed field is empty (docs/spec/pages.md#admin-form). */
export function requiredSentence(hostLabels: readonly string[]): string {
  return `Please fill in all required fields (name, ${(hostLabels[0] ?? 'main').toLowerCase()} link, category)`
}

export function rowOf(item: ItemForAdmin): ContentRow {
  return {
    ...item,
    reasons:
      item.status === 'published' || item.status === 'removed' ? [] : item.reasons.map(({ sentence }) => sentence),
  }
}
