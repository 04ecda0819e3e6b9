import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { deleteAllItems, type ItemOverrides, someItems } from '../../../../tests/harness/items.ts'
import { aGrant, aMember } from '../../../../tests/harness/members.ts'
import { writePastRules } from '../../../../tests/harness/past-rules.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { fillDemoCatalogue } from '../../catalogue/demo/fill-demo-catalogue.server.ts'
import { allInvariants, brokenInWords, checkInvariant, checkNextRows, unchecked } from './check-invariant.server.ts'

const testApp = appOfFile({ now: new Date().toISOString() })
afterEach(async () => {
  await past(`delete from consent_records; delete from member_access; delete from deleted_items`)
  await deleteAllItems(testApp.app)
  await past(`delete from deleted_items; delete from access_grants; delete from content_requests; delete from users`)
})

const past = (statements: string) => writePastRules(testApp.app, ...statements.split('; '))

function invariant(name: string) {
  const found = allInvariants().find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no invariant ${name}.`)
  return found
}

const found = async (name: string) => (await checkInvariant(testApp.app.db, invariant(name))).ids

/** The names of all invariants that some row breaks. */
async function allBroken(): Promise<string[]> {
  const names: string[] = []
  for (const one of allInvariants()) {
    if ((await checkInvariant(testApp.app.db, one)).broken > 0) names.push(one.name)
  }
  return names
}

const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10)

const consent = (id: string, columns = '', values = '') => `
  insert into consent_records (id, item_id, pseudonym, permits_publication, permits_download, verified_adult, evidence,
                               recorded_by${columns})
  values ('${randomUUID()}', '${id}', 'A', true, true, 'yes', 'signed', 'test'${values})`

interface Breach {
  invariant: string
  how: string
  item?: ItemOverrides
  /** A constraint that is gone. */
  without?: string
  write: (id: string) => string
}

const ofItems: Breach[] = [
  {
    invariant: 'items.cleared',
    how: 'of a version that nobody cleared',
    write: (id) => `update items set version = 7, cleared_version = 7 where id = '${id}'`,
  },
  {
    invariant: 'items.cleared',
    how: 'with a link that nobody cleared',
    write: (id) => `update items set link = 'https://mega.nz/file/another' where id = '${id}'`,
  },
  {
    invariant: 'items.rights-recorded',
    how: 'without evidence',
    without: 'published_has_evidence',
    write: (id) => `update items set rights_evidence = null where id = '${id}'`,
  },
  {
    invariant: 'items.rights-recorded',
    how: 'whose rights were revoked',
    without: 'published_has_rights',
    write: (id) => `update items set rights_revoked_at = now() where id = '${id}'`,
  },
  {
    invariant: 'items.rights-recorded',
    how: 'of a VIP type whose rights do not permit paid access',
    without: 'published_permits_paid_access',
    item: { contentType: 'vip' },
    write: (id) => `update items set permits_paid_access = false where id = '${id}'`,
  },
  {
    invariant: 'items.rights-in-time',
    how: 'whose rights have ended an hour ago',
    write: (id) => `update items set rights_valid_until = now() - interval '1 hour' where id = '${id}'`,
  },
  {
    invariant: 'items.rights-in-time',
    how: 'whose rights begin in an hour',
    write: (id) => `update items set rights_valid_from = now() + interval '1 hour' where id = '${id}'`,
  },
  {
    invariant: 'items.consents',
    how: 'that shows people, and has no consent',
    write: (id) => `update items set people = 'identifiable' where id = '${id}'`,
  },
  {
    invariant: 'items.consents',
    how: 'that shows people, one of whom has not agreed to downloads',
    write: (id) =>
      `${consent(id)}; update items set people = 'identifiable' where id = '${id}'; update consent_records set permits_download = false`,
  },
  {
    invariant: 'items.consents',
    how: 'that shows people, one of whom consented until an hour ago',
    write: (id) =>
      `${consent(id, ', valid_until', ", now() - interval '1 hour'")}; update items set people = 'identifiable' where id = '${id}'`,
  },
  {
    invariant: 'items.consents',
    how: 'of which somebody withdrew the consent, whatever is stated of the people',
    write: (id) => consent(id, ', withdrawn_at', ', now()'),
  },
  {
    invariant: 'items.lapse-recorded',
    how: 'whose end is not noted',
    item: { validTo: nextYear },
    write: (id) => `update items set lapses_at = null where id = '${id}'`,
  },
  {
    invariant: 'items.category',
    how: 'whose type no category of that name has',
    write: (id) => `update items set content_type = 'banned' where id = '${id}'`,
  },
  {
    invariant: 'items.links-not-blocked',
    how: 'with a link that a removal has blocked',
    item: { link: 'https://mega.nz/file/blocked' },
    write: (id) =>
      `insert into item_removals (id, item_id, reference, answer, kind, status_before, gives_back, removed_by)
       values ('${id}', '${id}', 'N-0000-0001', 451, 'Copyright', 'published', true, 'me'); insert into blocked_links select link_fingerprints[1], '${id}' from items where id = '${id}'`,
  },
  {
    invariant: 'items.links-not-blocked',
    how: 'whose link has other fingerprints',
    write: (id) => `update items set link_fingerprints = '{}' where id = '${id}'`,
  },
  {
    invariant: 'items.not-held',
    how: 'that an open notice hides',
    write: (id) =>
      `insert into item_holds (reference, item_id, kind, hides) values ('N-0000-0001', '${id}', 'notice', true)`,
  },
  {
    invariant: 'items.removals',
    how: 'that is removed by nobody',
    write: (id) => `update items set status = 'removed', cleared_version = null where id = '${id}'`,
  },
  {
    invariant: 'items.new-ids',
    how: 'under the id of a deleted one',
    write: (id) => `insert into deleted_items (item_id) values ('${id}')`,
  },
]

describe('An entry', () => {
  test.each(ofItems)('$how is found by $invariant', async ({ invariant: name, item = {}, without, write }) => {
    const { app } = testApp
    const [, broken] = await someItems(app, [{ name: 'Before' }, item, { name: 'After' }])
    expect(await allBroken()).toEqual([])
    if (without !== undefined) await sql`alter table items drop constraint ${sql.ref(without)}`.execute(app.db)
    await past(write(broken?.id ?? ''))
    expect(await found(name)).toEqual([broken?.id])
  })

  test('whose rights have ended a moment ago is left to the job that restricts it', async () => {
    const [item] = await someItems(testApp.app, [{}])
    await past(`update items set rights_valid_until = now() - interval '2 minutes' where id = '${item?.id}'`)
    expect(await found('items.rights-in-time')).toEqual([])
  })

  test('that is not published may break all that is asked of published ones', async () => {
    await someItems(testApp.app, [{ status: 'draft', rightsBasis: '', evidence: '', people: '', permitsDownload: '' }])
    expect(await allBroken()).toEqual([])
  })
})

describe('A member', () => {
  test.each([
    [
      'whose access ends later than their grant',
      `update member_access set effective_until = 'infinity', ends_at = 'infinity'`,
    ],
    ['whose grant gives no access', 'delete from member_access'],
    ['who was disabled and has access', 'update users set vip_disabled = true, vip_disabled_at = now()'],
  ])('%s is found', async (_, write) => {
    const { app } = testApp
    const vip = await aMember(app, { isVip: true })
    await aMember(app)
    expect(await found('members.access')).toEqual([])
    await past(`${write} where ${write.includes(' users ') ? 'id' : 'user_id'} = '${vip.id}'`)
    expect(await found('members.access')).toEqual([vip.id])
  })

  test('with access and no grant is found', async () => {
    const { id } = await aMember(testApp.app)
    await past(`
      insert into member_access (user_id, starts_at, next_starts_at, ends_at, effective_until, is_disabled)
      values ('${id}', now(), 'infinity', 'infinity', 'infinity', false)`)
    expect(await found('members.access')).toEqual([id])
  })

  test('with grants that overlap, one after a gap, one revoked and one disabled agree with what is summed up', async () => {
    const { app } = testApp
    const one = await aMember(app)
    await aMember(app, { isVip: true, vipDisabled: true })
    const inDays = (days: number): string => new Date(app.clock.now() + days * 86_400_000).toISOString()
    for (const [from = 0, to = 0] of [
      [-90, -60],
      [-70, -50],
      [-10, 20],
    ]) {
      await aGrant(app, one.id, inDays(to))
      await app.db
        .updateTable('access_grants')
        .set({ starts_at: inDays(from) })
        .where('ends_at', '=', new Date(inDays(to)))
        .where('user_id', '=', one.id)
        .execute()
    }
    await sql`
      update access_grants set revoked_at = now(), revoked_reason = 'refund'
       where user_id = ${one.id} and ends_at > now()`.execute(app.db)
    expect(await app.db.selectFrom('member_access').select('user_id').execute()).toHaveLength(4)
    expect(await found('members.access')).toEqual([])
  })
})

test('a request with another number of votes than were given is found', async () => {
  const { app } = testApp
  const { id: author } = await aMember(app)
  const ids = [randomUUID(), randomUUID()]
  for (const id of ids) {
    await past(`
      insert into content_requests (id, author_id, title, title_folded, title_grams, description, created_at)
      values ('${id}', '${author}', 'T', '${id}', '{}', '', now())`)
    await sql`insert into request_votes (request_id, user_id, voted_at) values (${id}, ${author}, now())`.execute(
      app.db,
    )
  }
  expect(await found('requests.votes')).toEqual([])
  await past(`update content_requests set votes = 7 where id = '${ids[1]}'`)
  expect(await found('requests.votes')).toEqual([ids[1]])
})

test('a site with the demo catalogue breaks none', async () => {
  const { app } = testApp
  await fillDemoCatalogue({ ...app, config: { ...app.config, demo: true } })
  await aMember(app, { isVip: true })
  const { count } = await app.db
    .selectFrom('items')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('status', '=', 'published')
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBeGreaterThan(1_000)
  expect(await allBroken()).toEqual([])
})

test('every invariant has a name of its own, and a breach of it is tested', () => {
  const names = allInvariants().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const elsewhere = ['notices.deadlines', 'notices.holds', 'notices.ledger', 'notices.removals'] // notice-invariants.test.ts
  const tested = [...ofItems.map((one) => one.invariant), 'members.access', 'requests.votes', ...elsewhere]
  expect([...new Set(tested)].toSorted()).toEqual(names.toSorted())
})

describe('In parts', () => {
  test('every row is looked at once, and all that break it are counted', async () => {
    const { app } = testApp
    const items = await someItems(
      app,
      Array.from({ length: 7 }, (_, place) => ({ name: `Work ${place}` })),
    )
    await past(`update items set content_type = 'banned'`)
    let progress = unchecked
    const counts: number[] = []
    for (let isDone = false; !isDone;) {
      const step = await checkNextRows(app.db, invariant('items.category'), progress, 3)
      ;({ progress, isDone } = step)
      counts.push(progress.broken)
    }
    expect(counts).toEqual([3, 6, 7])
    expect(progress.ids.toSorted()).toEqual(items.map(({ id }) => id).toSorted())
  })

  test('a sentence names the first of many', () => {
    const ids = ['1', '2', '3', '4', '5', '6']
    expect(brokenInWords({ headline: 'Odd rows', sentence: 'They are odd.' }, { broken: 1_205, ids })).toBe(
      'Odd rows: 1,205. They are odd. Their ids: 1, 2, 3, 4, 5 and 1,200 more.',
    )
    expect(brokenInWords({ headline: 'Odd rows', sentence: 'They are odd.' }, { broken: 1, ids: ['1'] })).toBe(
      'Odd rows: 1. They are odd. Their ids: 1.',
    )
  })
})
