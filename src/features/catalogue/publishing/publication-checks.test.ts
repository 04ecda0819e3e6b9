import { describe, expect, it } from 'vitest'
import { type Item, type ItemColumn, itemColumns, itemText } from '../item/item.ts'
import { ProhibitedTerms } from './prohibited-terms.ts'
import type { StoredRights } from './second-person.ts'
import { type Candidate, type Consent, findRefusals, type GateRules } from './publication-checks.ts'

const now = Date.parse('2024-03-15T12:00:00Z')
const terms = new ProhibitedTerms({
  refused: ['leaks', 'stolen pictures', 'xxx'],
  minority: ['novice'],
  sexual: ['gaudy'],
  alone: ['novice', 'gaudy'],
})

const rules: GateRules = { terms, timeZone: 'UTC', requiresSecondPerson: false, blocked: { has: () => false } }

const publishable: Partial<Record<ItemColumn, string>> = {
  name: 'A work',
  category: 'Film',
  contentType: 'western',
  link: 'https://mega.nz/a',
  rightsBasis: 'public_domain',
  evidence: 'Published in 1890.',
  permitsDownload: 'true',
  people: 'none',
}
const consent: Consent = {
  pseudonym: 'Ana',
  permitsPublication: true,
  permitsDownload: true,
  verifiedAdult: 'yes',
  validUntil: null,
  withdrawnAt: null,
}

function itemWith(overrides: Partial<Record<ItemColumn, string>>): Item {
  const texts = Object.fromEntries(
    itemColumns.map((column) => [column, overrides[column] ?? publishable[column] ?? '']),
  )
  return itemText('UTC').parse(texts)
}

function codes(overrides: Partial<Record<ItemColumn, string>>, more: Partial<Candidate> = {}): string[] {
  const candidate = {
    item: itemWith(overrides),
    rightsRevokedAt: null,
    consents: [],
    storedRights: null,
    hold: null,
    ...more,
  }
  return findRefusals(candidate, rules, now).map(({ code }) => code)
}

describe('findRefusals', () => {
  it('has nothing against an item with rights, evidence and a people statement', () => {
    expect(codes({})).toEqual([])
  })

  it.each<[string, Partial<Record<ItemColumn, string>>, Partial<Candidate>?]>([
    ['rights.missing', { rightsBasis: '' }],
    ['rights.evidence_missing', { evidence: '' }],
    ['rights.holder_missing', { rightsBasis: 'license' }],
    ['rights.holder_missing', { rightsBasis: 'assignment' }],
    ['rights.holder_missing', { rightsBasis: 'work_for_hire' }],
    ['rights.no_download', { permitsDownload: 'false' }],
    ['rights.no_paid_access', { contentType: 'vip' }],
    ['rights.not_yet_valid', { validFrom: '2024-03-16' }],
    ['rights.expired', { validTo: '2024-03-14' }],
    ['rights.revoked', {}, { rightsRevokedAt: now - 1 }],
    ['people.unknown', { people: '' }],
    ['term.prohibited', { name: 'All the LEAKS!' }],
    ['term.prohibited', { name: 'A gaudy novice' }],
    ['term.prohibited', { category: 'Xxx' }],
    ['term.prohibited', { category: 'Novice' }],
    ['term.prohibited', { creators: 'Somebody; All the leaks' }],
    ['term.prohibited', { alsoKnownAs: 'All the leaks' }],
    ['term.prohibited', { series: 'All the leaks' }],
    ['term.prohibited', { tags: 'History; Leaks' }],
    // A pair of which each field holds a word.
    ['term.prohibited', { name: 'A novice', creators: 'Somebody Gaudy' }],
    ['term.prohibited', { creators: 'A Novice', tags: 'Gaudy' }],
    ['category.type', { contentType: 'banned' }],
    ['category.type', { contentType: 'banned', category: 'VIP Banned' }],
    ['category.type', { contentType: 'unknown', category: 'Banned' }],
    ['category.type', { contentType: 'vip-banned', permitsPaidAccess: 'true' }],
    ['category.type', { contentType: 'vip-unknown', category: 'VIP Banned', permitsPaidAccess: 'true' }],
    ['consent.missing', { people: 'identifiable' }],
    ['consent.withdrawn', { people: 'identifiable' }, { consents: [{ ...consent, withdrawnAt: now - 1 }] }],
    ['consent.withdrawn', { people: 'none' }, { consents: [{ ...consent, withdrawnAt: now - 1 }] }],
    [
      'consent.withdrawn',
      { people: 'not_identifiable' },
      { consents: [consent, { ...consent, withdrawnAt: now - 1 }] },
    ],
    ['consent.age_no', { people: 'none' }, { consents: [{ ...consent, verifiedAdult: 'no' }] }],
    ['consent.expired', { people: 'identifiable' }, { consents: [{ ...consent, validUntil: now }] }],
    ['consent.age_unverified', { people: 'identifiable' }, { consents: [{ ...consent, verifiedAdult: 'unknown' }] }],
    ['consent.age_no', { people: 'identifiable' }, { consents: [consent, { ...consent, verifiedAdult: 'no' }] }],
    ['consent.no_publication', { people: 'identifiable' }, { consents: [{ ...consent, permitsPublication: false }] }],
    ['consent.no_download', { people: 'identifiable' }, { consents: [{ ...consent, permitsDownload: false }] }],
  ])('answers %s for %j', (code, overrides, more = {}) => {
    expect(codes(overrides, more)).toEqual([code])
  })

  it('lets an item that shows nobody be published with a consent that only has ended', () => {
    expect(codes({ people: 'none' }, { consents: [{ ...consent, validUntil: now - 1 }] })).toEqual([])
  })

  it.each([
    ['banned', 'Banned'],
    ['banned', 'BANNED'],
    ['unknown', 'Unknown'],
    ['vip-banned', 'Banned'],
    ['vip-banned', 'vip banned'],
    ['vip-unknown', 'Unknown'],
    ['vip-unknown', 'VIP Unknown'],
    ['asian', 'Banned'],
    ['western', 'Unknown'],
    ['vip-asian', 'VIP Banned'],
    ['vip', 'Banned'],
  ])('lets an item of type %s have the category %s', (contentType, category) => {
    expect(codes({ contentType, category, permitsPaidAccess: 'true' })).toEqual([])
  })

  it('reports all reasons at once', () => {
    expect(
      codes({ contentType: 'vip-asian', rightsBasis: 'license', permitsDownload: '', evidence: '', people: '' }),
    ).toEqual([
      'rights.holder_missing',
      'rights.evidence_missing',
      'rights.no_download',
      'rights.no_paid_access',
      'people.unknown',
    ])
  })

  it('lets rights hold on their first and their last day', () => {
    expect(codes({ validFrom: '2024-03-15', validTo: '2024-03-15' })).toEqual([])
  })
})

describe('where the site requires a second person', () => {
  const stored = (signed: Partial<Omit<StoredRights, 'item'>> = {}, was = {}): StoredRights => ({
    item: itemWith(was),
    attestedBy: 'first',
    verifiedBy: 'second',
    ...signed,
  })
  const refusals = (overrides: Partial<Record<ItemColumn, string>>, storedRights: StoredRights | null) =>
    findRefusals(
      { item: itemWith(overrides), rightsRevokedAt: null, consents: [], storedRights, hold: null },
      { ...rules, requiresSecondPerson: true },
      now,
    )

  it('lets rights pass that another person has verified, whatever else of the item changes', () => {
    expect(refusals({}, stored())).toEqual([])
    expect(refusals({ name: 'Another name', link: 'https://mega.nz/b', people: 'not_identifiable' }, stored())).toEqual(
      [],
    )
    expect(refusals({}, stored({ attestedBy: 'operator' }))).toEqual([])
  })

  it.each<[string, StoredRights | null]>([
    ['of a new item', null],
    ['that nobody has verified', stored({ verifiedBy: null })],
    ['that who attested them has verified', stored({ verifiedBy: 'first' })],
  ])('refuses rights %s', (_which, storedRights) => {
    expect(refusals({}, storedRights)).toMatchObject([
      {
        code: 'rights.unverified',
        field: 'rightsBasis',
        message: 'The rights were not verified by a second person.',
        remedy: expect.stringMatching(/another administrator/i) as string,
      },
    ])
  })

  it.each<Partial<Record<ItemColumn, string>>>([
    { rightsBasis: 'own_work' },
    { rightsHolder: 'Somebody' },
    { licence: 'CC0-1.0' },
    { evidence: 'Another proof.' },
    { permitsPaidAccess: 'true' },
    { validFrom: '2024-01-01' },
    { validTo: '2025-01-01' },
  ])('refuses rights that change in this very write: %j', (overrides) => {
    expect(refusals(overrides, stored())).toMatchObject([
      { code: 'rights.unverified', remedy: expect.stringMatching(/^Save them unpublished first\./) },
    ])
  })

  it('says nothing of rights that are not recorded, and names all other reasons beside', () => {
    expect(refusals({ rightsBasis: '' }, null).map(({ code }) => code)).toEqual(['rights.missing'])
    expect(refusals({ people: '', evidence: '' }, null).map(({ code }) => code)).toEqual([
      'rights.evidence_missing',
      'rights.unverified',
      'people.unknown',
    ])
  })
})

describe('ProhibitedTerms', () => {
  it.each(['leaks', 'The Leaks', 'LÉAKS, all of them', 'new:leaks', 'Ｌｅａｋｓ', 'stolen — pictures', 'XXX'])(
    'is found in %j',
    (name) => {
      expect(terms.find(name)).toBeDefined()
    },
  )

  it.each(['Bleaks', 'leaksome', 'Pictures stolen', 'stolen old pictures', 'Louis XXXI', 'A Leak'])(
    'is not found in %j',
    (name) => {
      expect(terms.find(name)).toBeUndefined()
    },
  )
})

it('names the last day of what has ended, in the time zone of the site', () => {
  const ended = (validTo: string, zone: string): string[] => {
    const texts = Object.fromEntries(itemColumns.map((column) => [column, publishable[column] ?? '']))
    const item = itemText(zone).parse({ ...texts, validTo })
    const candidate = { item, rightsRevokedAt: null, consents: [], storedRights: null, hold: null }
    return findRefusals(candidate, { ...rules, timeZone: zone }, now).map(({ message }) => message)
  }
  for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York'])
    expect(ended('2023-12-31', zone)).toEqual(['The rights ended on 2023-12-31.'])
  expect(ended('2023-12-31T12:00:00Z', 'UTC')).toEqual(['The rights ended on 2023-12-31.'])
})
