import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { deleteAllItems, type ItemOverrides, someItems } from '../../../../tests/harness/items.ts'
import { aMember, type MadeMember, viewerOf } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import { readSearchQuery } from '../search/read-search-query.ts'
import { toIndexQuery } from '../search/search-items.server.ts'
import { newsFor, queueDigests } from './digests.server.ts'
import type { SavedSearch } from './saved-search-schema.ts'
import {
  changeSearch,
  endSearch,
  exportSearches,
  maxSearches,
  readSearches,
  saveSearch,
} from './saved-searches.server.ts'
import { parametersOfSearch } from './shelf-of.ts'
import { endDigest, findDigest } from './unsubscribe.server.ts'

const hour = 3_600_000

let app: App
let reader: MadeMember
let viewer: ReturnType<typeof viewerOf>
const testApp = appOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  app = testApp.app
})
beforeEach(async () => {
  reader = await aMember(app)
  viewer = viewerOf(reader)
})
afterEach(async () => {
  await app.db.deleteFrom('saved_searches').execute()
  await deleteAllItems(app)
  await app.listing.catchUp()
})

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { code: unknown }).code,
  )
const save = async (query: string, list: SavedSearch['list'] = 'western'): Promise<SavedSearch> =>
  (await saveSearch(app, viewer, { list, query, name: `Mine ${query}`.trim() })).search
const emailsTo = async (to = reader.email) => {
  await drainJobs(app)
  return (await readEmails(app)).filter((email) => email.to === to)
}
const publish = async (items: ItemOverrides[]): Promise<void> => {
  testApp.clock.advance(1)
  await someItems(app, items)
}
/** At eight, in the time zone of the site, which is UTC. */
const tomorrow = async (): Promise<void> => {
  testApp.clock.advance(24 * hour)
  await app.listing.catchUp()
  await queueDigests(app)
}

describe('a saved search', () => {
  test('is what its list asks for, in one spelling, without a place in it', async () => {
    const saved = await save('?page=7&tag=sea&search=%20whale%20&month=99&at=2020&x=1')
    expect(saved).toMatchObject({ list: 'western', query: '?search=whale&tag=sea', digest: 'off', nextDigestAt: null })
    const again = await saveSearch(app, viewer, { list: 'western', query: '?tag=sea&search=whale', name: 'Other' })
    expect(again).toEqual({ search: saved, isNew: false })
    expect((await readSearches(app, viewer)).searches).toEqual([saved])
    expect(await exportSearches(app, viewer)).toEqual([saved])
  })

  test('is its owner’s alone', async () => {
    const { id } = await save('?tag=sea')
    const other = viewerOf(await aMember(app))
    expect((await readSearches(app, other)).searches).toEqual([])
    expect(await codeOf(changeSearch(app, other, id, { name: 'Mine now' }))).toBe('saved_search.not_found')
    expect(await codeOf(endSearch(app, other, id))).toBe('saved_search.not_found')
    await endSearch(app, viewer, id)
    expect(await codeOf(endSearch(app, viewer, id))).toBe('saved_search.not_found')
  })

  test('is one of so many, also when they are saved at once', async () => {
    for (let i = 1; i < maxSearches; i += 1) await save(`?search=word${i}`)
    await save('?search=last')
    expect(await codeOf(save('?search=more'))).toBe('saved_search.too_many')
    expect((await save('?search=last')).name).toBe('Mine ?search=last')
    await app.db.deleteFrom('users').where('id', '=', reader.id).execute()
    expect(await app.db.selectFrom('saved_searches').select('id').execute()).toEqual([])
  })

  test('has its digest at the hour of a time zone, which a later name leaves alone', async () => {
    const { id } = await save('')
    const daily = await changeSearch(app, viewer, id, { digest: 'daily', hour: 7, timeZone: 'America/Sao_Paulo' })
    expect(daily.nextDigestAt).toBe('2024-03-16T10:00:00.000Z')
    testApp.clock.advance(hour)
    expect(await changeSearch(app, viewer, id, { name: 'Renamed' })).toEqual({ ...daily, name: 'Renamed' })
    expect((await changeSearch(app, viewer, id, { digest: 'weekly' })).nextDigestAt).toBe('2024-03-18T10:00:00.000Z')
    expect((await changeSearch(app, viewer, id, { digest: 'off' })).nextDigestAt).toBeNull()
    testApp.clock.advance(-hour)
  })
})

describe('a digest', () => {
  test('tells of what is new and matches, once, and of nothing where there is nothing', async () => {
    await publish([{ name: 'Old whale', postDate: '2024-03-01' }])
    const { id } = await save('?search=whale')
    await changeSearch(app, viewer, id, { digest: 'daily', hour: 8 })
    await tomorrow()
    expect(await emailsTo()).toEqual([])
    await publish([
      { name: 'A new whale', postDate: '2024-03-16', creators: 'Ann Author' },
      { name: 'A whale of long ago', postDate: '2001-01-01' },
      { name: 'A new fish', postDate: '2024-03-16' },
      { name: 'A whale ahead', postDate: '2024-03-19' },
      { name: 'A VIP whale', postDate: '2024-03-16', contentType: 'vip-western' },
      { name: 'A drafted whale', postDate: '2024-03-16', status: 'draft' },
      { name: 'A held whale', postDate: '2024-03-16', status: 'restricted' },
    ])
    await tomorrow()
    await queueDigests(app)
    const [email, ...more] = await emailsTo()
    expect(more).toEqual([])
    expect(email?.subject).toBe('2 new entries: Mine ?search=whale')
    expect(email?.text).toContain('A new whale\nAnn Author\nhttp')
    expect(email?.text).toContain('A whale of long ago\n')
    for (const hidden of ['fish', 'ahead', 'VIP', 'drafted', 'held', 'Old whale'])
      expect(email?.text).not.toContain(hidden)
    await tomorrow()
    expect(await emailsTo()).toHaveLength(1)
    // The one that was scheduled has come by then.
    await tomorrow()
    expect((await emailsTo()).at(-1)?.subject).toBe('1 new entry: Mine ?search=whale')
    testApp.clock.advance(-5 * 24 * hour)
  })

  test('is not told of by a copy in rehearsal, and loses nothing by that', async () => {
    const { id } = await save('?search=whale')
    await changeSearch(app, viewer, id, { digest: 'daily', hour: 8 })
    await publish([{ name: 'A new whale', postDate: '2024-03-01' }])
    app.rehearsal.use(true)
    await tomorrow()
    expect(await emailsTo()).toEqual([])
    app.rehearsal.use(false)
    await queueDigests(app)
    expect((await emailsTo()).map(({ subject }) => subject)).toEqual(['1 new entry: Mine ?search=whale'])
  })

  test('has VIP entries while the reader is a VIP at the moment it is written', async () => {
    const vip = await aMember(app, { isVip: true })
    for (const list of ['vip-western', 'western'] as const) {
      const { search } = await saveSearch(app, viewerOf(vip, 'vip'), { list, query: '', name: list })
      await changeSearch(app, viewerOf(vip, 'vip'), search.id, { digest: 'daily', hour: 8 })
    }
    await publish([{ name: 'A VIP whale', postDate: '2024-03-15', contentType: 'vip-western' }])
    testApp.clock.advance(21 * hour)
    await app.listing.catchUp()
    await queueDigests(app)
    // Between the job and the email.
    await app.db.updateTable('users').set({ vip_disabled: true }).where('id', '=', vip.id).execute()
    expect(await emailsTo(vip.email)).toEqual([])
    testApp.clock.advance(-21 * hour)
  })

  test('is written for those who have confirmed their address alone', async () => {
    const stranger = await aMember(app, { isUnconfirmed: true })
    const { search } = await saveSearch(app, viewerOf(stranger), { list: 'western', query: '', name: 'All' })
    await changeSearch(app, viewerOf(stranger), search.id, { digest: 'daily', hour: 8 })
    expect(await readSearches(app, viewerOf(stranger))).toMatchObject({ isConfirmed: false })
    await publish([{ name: 'News', postDate: '2024-03-15' }])
    await tomorrow()
    expect(await emailsTo(stranger.email)).toEqual([])
    testApp.clock.advance(-24 * hour)
  })

  test('that was missed is made up for with one, and two processes send one', async () => {
    const { id } = await save('')
    await changeSearch(app, viewer, id, { digest: 'daily', hour: 8 })
    await publish([{ name: 'News', postDate: '2024-03-15' }])
    testApp.clock.advance(10 * 24 * hour)
    await app.listing.catchUp()
    await Promise.all([queueDigests(app), queueDigests(app), queueDigests(app)])
    expect(await emailsTo()).toHaveLength(1)
    testApp.clock.advance(-10 * 24 * hour)
  })

  test('that cannot be looked for keeps no other one up, and loses nothing', async () => {
    const [bad, good] = [await save('?tag=sea'), await save('')]
    for (const { id } of [bad, good]) await changeSearch(app, viewer, id, { digest: 'daily', hour: 8 })
    await app.db
      .updateTable('saved_searches')
      .set({ query: `?tag=${'\u0958'.repeat(31)}` })
      .where('id', '=', bad.id)
      .execute()
    const toldUntil = () =>
      app.db
        .selectFrom('saved_searches')
        .select(['digested_until', 'next_digest_at'])
        .where('id', '=', bad.id)
        .executeTakeFirstOrThrow()
    const before = await toldUntil()
    await publish([{ name: 'Moby Dick' }])
    await tomorrow()
    expect(await emailsTo()).toHaveLength(1)
    const after = await toldUntil()
    expect(after.digested_until).toEqual(before.digested_until)
    expect(after.next_digest_at?.getTime()).toBeGreaterThan(before.next_digest_at?.getTime() ?? Infinity)
  })

  test('that cannot be queued keeps no other one up, and comes once it can be', async () => {
    const [bad, good, quiet] = [await save(''), await save('?search=news'), await save('?search=nothing')]
    for (const { id } of [bad, good, quiet]) await changeSearch(app, viewer, id, { digest: 'daily', hour: 8 })
    await publish([{ name: 'News', postDate: '2024-03-15' }])
    const log = vi.spyOn(app.log, 'error').mockReturnValue()
    const { queueMany } = app.mail
    const failing = vi.spyOn(app.mail, 'queueMany').mockImplementation(async (db, kind, data) => {
      if (JSON.stringify(data).includes(bad.id)) throw new Error('broken')
      await queueMany.call(app.mail, db, kind, data)
    })
    await tomorrow()
    expect((await emailsTo()).map(({ subject }) => subject)).toEqual(['1 new entry: Mine ?search=news'])
    expect(log).toHaveBeenCalledExactlyOnceWith(
      { err: expect.any(Error), searches: [bad.id] },
      'Digests could not be queued.',
    )
    const { rows } = await sql<{ id: string }>`
      select id from saved_searches where next_digest_at <= ${new Date(testApp.clock.now())}`.execute(app.db)
    expect(rows).toEqual([{ id: bad.id }])
    failing.mockRestore()
    await queueDigests(app)
    await queueDigests(app)
    expect((await emailsTo()).map(({ subject }) => subject).sort()).toEqual([
      '1 new entry: Mine',
      '1 new entry: Mine ?search=news',
    ])
    testApp.clock.advance(-24 * hour)
  })

  test('names twenty entries at most, and says how many there are', async () => {
    const { id } = await save('')
    await changeSearch(app, viewer, id, { digest: 'daily', hour: 8 })
    await publish(Array.from({ length: 23 }, (_, place) => ({ name: `Work ${place + 1}`, postDate: '2024-03-15' })))
    await tomorrow()
    const [email] = await emailsTo()
    expect(email?.subject).toBe('23 new entries: Mine')
    expect(email?.text).toContain('Open all 23')
    expect(email?.links.filter((link) => link.includes('/western/'))).toHaveLength(20)
    testApp.clock.advance(-24 * hour)
  })
})

test('a digest looks among what is new for just what the whole search finds', async () => {
  const lists = ['western', 'asian', 'vip-western'] as const
  await publish(
    Array.from({ length: 60 }, (_, i) => ({
      name: ['The white whale', 'Whales of the sea', 'A fish', 'Whaler'][i % 4] as string,
      slug: `work-${i}`,
      contentType: lists[i % 3] as string,
      category: i % 2 === 0 ? 'Art' : 'Literature',
      tags: i % 5 === 0 ? 'Sea' : '',
      creators: i % 7 === 0 ? 'Ann Author' : '',
      language: i % 2 === 0 ? 'pt-BR' : 'en',
      // Some lie ahead.
      postDate: `2024-0${1 + (i % 3)}-${String(10 + (i % 9)).padStart(2, '0')}`,
    })),
  )
  const { rows } = await sql<{ no: number }>`select no from items`.execute(app.db)
  const numbers = rows.map(({ no }) => no)
  const queries = ['', '?search=whale', '?search=whale%20white', '?search=wha&sort=oldest', '?tag=sea']
  queries.push(
    '?search=whale&tag=sea&category=Art',
    '?creator=ann%20author&language=pt',
    '?month=02',
    '?search=nowhere',
  )
  let found = 0
  for (const list of lists)
    for (const query of queries)
      for (const by of [anonymous, viewerOf(reader, 'vip')]) {
        const asked = toIndexQuery(app, readSearchQuery(parametersOfSearch(list, query)))
        const whole = app.listing.search({ ...asked, limit: numbers.length }, by).itemNumbers
        found += whole.length
        for (const some of [numbers, numbers.filter((no) => no % 3 === 1), []]) {
          const expected = whole.filter((no) => some.includes(no))
          expect(newsFor(app, by, { list, query }, some), `${list} ${query}`).toEqual(expected)
        }
      }
  expect(found).toBeGreaterThan(100)
})

describe('the link that ends a digest', () => {
  test('stands in the headers, ends that digest alone, and works again', async () => {
    const { id } = await save('')
    const { id: other } = await save('?tag=sea')
    for (const each of [id, other]) await changeSearch(app, viewer, each, { digest: 'daily', hour: 8 })
    await publish([{ name: 'News', postDate: '2024-03-15' }])
    await tomorrow()
    const [email] = await emailsTo()
    expect(email?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = /^<(http\S+\/unsubscribe\/([\w-]{43}))>$/.exec(email?.headers.get('list-unsubscribe') ?? '')
    expect(email?.text).toContain(url?.[1])
    const token = url?.[2] ?? ''
    expect(await findDigest(app, token)).toEqual({ kind: 'on', name: 'Mine' })
    expect(await endDigest(app, token)).toEqual({ kind: 'over' })
    expect(await endDigest(app, token)).toEqual({ kind: 'over' })
    expect(await findDigest(app, token)).toEqual({ kind: 'over' })
    const { searches } = await readSearches(app, viewer)
    expect(searches.map(({ digest, query }) => [query, digest])).toEqual([
      ['?tag=sea', 'daily'],
      ['', 'off'],
    ])
    testApp.clock.advance(-24 * hour)
  })

  test('ends what is queued already', async () => {
    const { id } = await save('')
    await changeSearch(app, viewer, id, { digest: 'daily', hour: 8 })
    await publish([{ name: 'News', postDate: '2024-03-15' }])
    await tomorrow()
    await changeSearch(app, viewer, id, { digest: 'off' })
    expect(await emailsTo()).toEqual([])
    testApp.clock.advance(-24 * hour)
  })

  test('is none where this installation has not signed it', async () => {
    const { id } = await save('')
    await changeSearch(app, viewer, id, { digest: 'daily' })
    const forged = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), Buffer.alloc(16)]).toString('base64url')
    for (const token of ['', 'x', forged, `${forged.slice(0, -1)}B`, id]) {
      expect(await findDigest(app, token), token).toEqual({ kind: 'unknown' })
      expect(await endDigest(app, token), token).toEqual({ kind: 'unknown' })
    }
    expect((await readSearches(app, viewer)).searches[0]?.digest).toBe('daily')
  })
})
