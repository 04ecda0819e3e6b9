import { dayOf } from '../../../platform/time/site-time.ts'
import { categoriesMissed, isVipType } from '../item/content-type.ts'
import type { Item } from '../item/item.ts'
import { type ItemLinks, linkSlots } from '../item/link-slots.ts'
import { findLinkFault } from '../item/link-address.ts'
import type { RightsBasis } from '../item/rights.ts'
import { type Prohibition, prohibitionInWords, type ProhibitedTerms, remedyOf } from './prohibited-terms.ts'
import { areSameRights, isVerifiedBySecond, type StoredRights } from './second-person.ts'

/**
 * The gate before publication (docs/spec/publishing.md#gate): pure rules over what is known of an item. The database
 * enforces the core of them again, for whatever code writes to it.
 */

export const publicationChecks = [
  'rights',
  'permissions',
  'people',
  'consents',
  'links',
  'category',
  'prohibited-terms',
  'notices',
] as const

/** The checks that those items have passed which a long work has published, for its line in the audit log. */
export function checksOf(published: number): { checks?: typeof publicationChecks } {
  return published > 0 ? { checks: publicationChecks } : {}
}

export interface Refusal {
  /** Stable and dotted, for programs. */
  code: string
  /** Column of the import format, or `consents`; of one of them `consents.0`. */
  field: string
  message: string
  remedy: string
}

/** The consent of one depicted person; instants in milliseconds since 1970. */
export interface Consent {
  pseudonym: string
  permitsPublication: boolean
  permitsDownload: boolean
  verifiedAdult: 'yes' | 'no' | 'unknown'
  validUntil: number | null
  withdrawnAt: number | null
}

/** The hold on an item: an open notice, or a decision to restrict it. An open notice is named first. */
export interface ItemHold {
  kind: 'notice' | 'decision'
  /** Whether it also keeps the item off the site. */
  hides: boolean
}

export interface BlockedLinks {
  has(address: string): boolean
}

export interface Candidate {
  item: Item
  rightsRevokedAt: number | null
  consents: Consent[]
  /** A file of evidence is attached to its rights; it needs a reference all the same. */
  hasEvidenceFile?: boolean
  /** The rights as they are stored; null for an item that is not stored yet. */
  storedRights: StoredRights | null
  hold: ItemHold | null
}

export interface GateRules {
  terms: ProhibitedTerms
  /** In which the sentences name days. */
  timeZone: string
  /** Rights count once a second person has verified them (docs/spec/publishing.md#second-person). */
  requiresSecondPerson: boolean
  /** Read for the links of the candidates: of any other link it knows nothing. */
  blocked: BlockedLinks
}

/** Every reason against publishing the candidate at this instant, all at once; empty when it may be published. */
export function findRefusals(candidate: Candidate, rules: GateRules, now: number): Refusal[] {
  const { terms, timeZone } = rules
  return [
    ...rightsRefusals(candidate, now, timeZone),
    ...(rules.requiresSecondPerson ? secondPersonRefusals(candidate) : []),
    ...permissionRefusals(candidate.item),
    ...peopleRefusals(candidate, now, timeZone),
    ...linkRefusals(candidate.item),
    ...blockedLinkRefusals(candidate.item, rules.blocked),
    ...categoryRefusals(candidate.item),
    ...termRefusals(candidate.item, terms),
    ...holdRefusals(candidate),
  ]
}

const needsHolder: ReadonlySet<RightsBasis> = new Set(['license', 'assignment', 'work_for_hire'])

function rightsRefusals(
  { item, rightsRevokedAt, hasEvidenceFile = false }: Candidate,
  now: number,
  timeZone: string,
): Refusal[] {
  const refusals: Refusal[] = []
  const refuse = (code: string, field: string, message: string, remedy: string): void => {
    refusals.push({ code, field, message, remedy })
  }
  if (item.rightsBasis === null) {
    refuse(
      'rights.missing',
      'rightsBasis',
      'No rights basis is recorded.',
      'Record on which basis the work may be distributed.',
    )
  } else if (needsHolder.has(item.rightsBasis) && item.rightsHolder === null) {
    refuse(
      'rights.holder_missing',
      'rightsHolder',
      `The rights basis '${item.rightsBasis}' names no holder.`,
      'Record who holds the rights.',
    )
  }
  if (item.evidence === null) {
    refuse(
      'rights.evidence_missing',
      'evidence',
      hasEvidenceFile
        ? 'A file of evidence is attached, but there is no reference to it.'
        : 'No evidence of the rights is recorded.',
      hasEvidenceFile
        ? 'Record what the file is, such as its name and date.'
        : 'Record a reference or an address that proves them.',
    )
  }
  if (rightsRevokedAt !== null) {
    refuse(
      'rights.revoked',
      'rightsBasis',
      `The rights were revoked on ${dayOf(rightsRevokedAt, timeZone)}.`,
      'Obtain and record new rights.',
    )
  }
  if (item.validFrom !== null && item.validFrom > now) {
    refuse(
      'rights.not_yet_valid',
      'validFrom',
      `The rights are valid only from ${dayOf(item.validFrom, timeZone)}.`,
      'Publish it then, or correct the date.',
    )
  }
  if (item.validTo !== null && item.validTo <= now) {
    refuse(
      'rights.expired',
      'validTo',
      `The rights ended on ${lastDay(item.validTo, timeZone)}.`,
      'Renew the rights and record the new end.',
    )
  }
  return refusals
}

function secondPersonRefusals({ item, storedRights }: Candidate): Refusal[] {
  // Rights that are not recorded cannot be verified: that they are missing is said already.
  if (item.rightsBasis === null || isVerifiedBySecond(item, storedRights)) return []
  const isStored = storedRights !== null && areSameRights(item, storedRights.item)
  return [
    {
      code: 'rights.unverified',
      field: 'rightsBasis',
      message: 'The rights were not verified by a second person.',
      remedy: isStored
        ? 'Another administrator than who recorded them verifies them on the form of the entry.'
        : 'Save them unpublished first. Then another administrator verifies them on the form of the entry.',
    },
  ]
}

function permissionRefusals(item: Item): Refusal[] {
  const refusals: Refusal[] = []
  if (!item.permitsDownload) {
    refusals.push({
      code: 'rights.no_download',
      field: 'permitsDownload',
      message: 'The rights do not permit downloads.',
      remedy: 'Obtain that permission and record it.',
    })
  }
  if (isVipType(item.contentType) && !item.permitsPaidAccess) {
    refusals.push({
      code: 'rights.no_paid_access',
      field: 'permitsPaidAccess',
      message: `The rights do not permit paid access, which the content type '${item.contentType}' is.`,
      remedy: 'Choose a free content type, or obtain that permission and record it.',
    })
  }
  return refusals
}

function peopleRefusals({ item, consents }: Candidate, now: number, timeZone: string): Refusal[] {
  if (item.people !== 'identifiable') {
    const standing = consents.flatMap((consent, place) => standingRefusals(consent, place, timeZone))
    if (item.people !== null) return standing
    return [
      {
        code: 'people.unknown',
        field: 'people',
        message: 'It is not stated whether people are shown.',
        remedy: 'State none, not_identifiable or identifiable.',
      },
      ...standing,
    ]
  }
  if (consents.length === 0) {
    return [
      {
        code: 'consent.missing',
        field: 'consents',
        message: 'It shows identifiable people, and no consent is recorded.',
        remedy: 'Record the consent of each person shown.',
      },
    ]
  }
  return consents.flatMap((consent, place) => consentRefusals(consent, place, now, timeZone))
}

function consentRefusals(consent: Consent, place: number, now: number, timeZone: string): Refusal[] {
  const refusals: Refusal[] = []
  const refuse = (code: string, message: string, remedy: string): void => {
    refusals.push({ code, field: `consents.${place}`, message: `${consent.pseudonym} ${message}`, remedy })
  }
  if (!consent.permitsPublication)
    refuse('consent.no_publication', 'has not agreed to publication.', 'Obtain and record that consent.')
  if (!consent.permitsDownload)
    refuse('consent.no_download', 'has not agreed to downloads.', 'Obtain and record that consent.')
  if (consent.validUntil !== null && consent.validUntil <= now) {
    refuse(
      'consent.expired',
      `consented only until ${lastDay(consent.validUntil, timeZone)}.`,
      'Obtain and record a new consent.',
    )
  }
  if (consent.verifiedAdult === 'unknown') {
    refuse('consent.age_unverified', 'is not verified as an adult at production.', 'Verify the age and record it.')
  }
  return [...refusals, ...standingRefusals(consent, place, timeZone)]
}

/** The refusals by a person's record that hold whatever is stated of the people: no other statement undoes them. */
function standingRefusals(
  { pseudonym, withdrawnAt, verifiedAdult }: Consent,
  place: number,
  timeZone: string,
): Refusal[] {
  const refusals: Refusal[] = []
  const refuse = (code: string, message: string, remedy: string): void => {
    refusals.push({ code, field: `consents.${place}`, message: `${pseudonym} ${message}`, remedy })
  }
  if (withdrawnAt !== null) {
    refuse(
      'consent.withdrawn',
      `withdrew the consent on ${dayOf(withdrawnAt, timeZone)}.`,
      'Without a new consent it stays unpublished.',
    )
  }
  if (verifiedAdult === 'no') {
    refuse('consent.age_no', 'was no adult at production.', 'This is final: it can never be published.')
  }
  return refusals
}

function linkRefusals(item: Item): Refusal[] {
  return linkSlots.flatMap((slot): Refusal[] => {
    const address = item[slot]
    const fault = address === null ? null : findLinkFault(address)
    if (fault === null) return []
    return [{ code: fault.code, field: slot, message: `${slot} ${fault.message}.`, remedy: fault.remedy }]
  })
}

/** A link that a removal has blocked is not even saved: this is asked of drafts, too. */
export function blockedLinkRefusals(item: ItemLinks, blocked: BlockedLinks): Refusal[] {
  return linkSlots.flatMap((slot): Refusal[] => {
    const address = item[slot]
    if (address === null || address === '' || !blocked.has(address)) return []
    return [
      {
        code: blockedLinkCode,
        field: slot,
        message: `${slot} leads to a file that was removed from this site.`,
        remedy: 'Give the link of another file. Only a decision that reverses the removal lifts this.',
      },
    ]
  })
}

export const blockedLinkCode = 'link.blocked'

function holdRefusals({ hold }: Candidate): Refusal[] {
  if (hold === null) return []
  return [
    hold.kind === 'notice'
      ? {
          code: 'notice.open',
          field: 'status',
          message: 'A notice about this entry is open.',
          remedy: 'It can be published when the notice is decided.',
        }
      : {
          code: 'notice.restricted',
          field: 'status',
          message: 'A decision on a notice keeps this entry off the site.',
          remedy: 'It can be published when that decision is reversed.',
        },
  ]
}

function categoryRefusals(item: Item): Refusal[] {
  const missed = categoriesMissed(item)
  if (missed === undefined) return []
  const needed = missed.map((name) => `'${name}'`).join(' or ')
  return [
    {
      code: 'category.type',
      field: 'category',
      message: `An item of the content type '${item.contentType}' needs the category ${needed}; '${item.category}' is on no page of that type.`,
      remedy: `Choose the category ${needed}, or another content type.`,
    },
  ]
}

function termRefusals(item: Item, terms: ProhibitedTerms): Refusal[] {
  const { name, category, alsoKnownAs, creators, series, tags } = item
  const names = [name, ...alsoKnownAs, ...creators, series ?? '', ...tags].join('; ')
  const inCategory = terms.findInCategory(category)
  const between = terms.findBetween(names, category)
  const inNames = terms.find(names)
  // Nearly always: a text that holds nothing as a whole holds nothing in a part.
  if (inCategory === undefined && between === undefined && inNames === undefined) return []
  const refuse = (field: string, words: string, found: Prohibition | undefined): Refusal[] =>
    found === undefined
      ? []
      : [
          {
            code: 'term.prohibited',
            field,
            message: `${words} ${prohibitionInWords(found)}.`,
            remedy: remedyOf(found),
          },
        ]
  const byField = [
    ...refuse('name', 'The name holds', terms.find(name)),
    ...refuse('category', 'The category holds', inCategory),
    ...refuse('alsoKnownAs', 'The other titles hold', terms.find(alsoKnownAs.join('; '))),
    ...refuse('creators', 'The creators hold', terms.find(creators.join('; '))),
    ...refuse('series', 'The series holds', terms.find(series ?? '')),
    ...refuse('tags', 'The tags hold', terms.find(tags.join('; '))),
  ]
  if (byField.length > 0) return byField
  const together = [
    ...refuse('name', 'Name and category together hold', terms.findBetween(name, category)),
    ...refuse('name', 'Name, other titles, creators, series and tags together hold', inNames),
    ...refuse('category', 'The category and the names of the entry together hold', between),
  ]
  return together.slice(0, 1)
}

/** The last day that ends at, or holds, this end. */
function lastDay(end: number, timeZone: string): string {
  return dayOf(end - 1, timeZone)
}
