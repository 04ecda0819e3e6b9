import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAllItems, type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { aMember, viewerOf } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import {
  clearHistory,
  exportDownloads,
  exportReading,
  forgetOldDownloads,
  readHistory,
  rememberDownload,
  setKeepsHistory,
} from './download-history.server.ts'
import { saveSearch } from '../saved-searches/saved-searches.server.ts'
import { maxSaved, readPlace, readSaved, saveEntry, takeOutEntry } from './saved-entries.server.ts'
import { recordVisit } from './visits.server.ts'
import { countVipDownload } from '../gateway/record-download.server.ts'

const minute = 60_000
const day = 24 * 60 * minute

let app: App
let works: MadeItem[]
let reader: ReturnType<typeof viewerOf>
const testApp = appOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  app = testApp.app
})
beforeEach(async () => {
  works = await someItems(app, [
    { name: 'First', link: 'https://mega.nz/file/a#key', linkG: 'https://gofile.io/d/a' },
    { name: 'Second' },
    { name: 'Hidden', contentType: 'vip-western', linkP: 'https://pixeldrain.com/u/vip' },
    { name: 'Draft', status: 'draft' },
  ])
  reader = viewerOf(await aMember(app))
})
afterEach(async () => {
  await deleteAllItems(app)
  await app.db.deleteFrom('saved_entries').execute()
  await app.db.deleteFrom('download_events').execute()
  await app.listing.catchUp()
})

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { code: unknown }).code,
  )
const namesOf = async (viewer = reader) => (await readSaved(app, viewer, {})).entries.map(({ name }) => name)

test('nothing is remembered of an account that was deleted since the call came', async () => {
  const gone = viewerOf({ id: randomUUID() }, 'vip')
  const calls = [
    saveEntry(app, gone, 'first'),
    rememberDownload(app, gone, { slug: 'first', slot: 'link' }),
    countVipDownload(app, gone, { slug: 'first', slot: 'link' }),
    setKeepsHistory(app, gone, false),
    recordVisit(app, gone),
    saveSearch(app, gone, { list: 'western', query: '', name: 'All' }),
  ]
  expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(['session.invalid']))
})

describe('saved entries', () => {
  test('stand the latest first, each once, and are taken out', async () => {
    await saveEntry(app, reader, 'first')
    testApp.clock.advance(minute)
    await saveEntry(app, reader, 'second')
    testApp.clock.advance(minute)
    await saveEntry(app, reader, 'first')
    expect(await namesOf()).toEqual(['Second', 'First'])
    await takeOutEntry(app, reader, 'second')
    await takeOutEntry(app, reader, 'second')
    expect(await namesOf()).toEqual(['First'])
  })

  test('are those that the reader may see; one that is no longer shown has no name and no page', async () => {
    expect(await codeOf(saveEntry(app, reader, 'hidden'))).toBe('item.not_found')
    expect(await codeOf(saveEntry(app, reader, 'draft'))).toBe('item.not_found')
    expect(await codeOf(saveEntry(app, reader, 'nothing'))).toBe('item.not_found')
    const vip = viewerOf({ id: reader.member.id }, 'vip')
    await saveEntry(app, vip, 'hidden')
    expect(await namesOf(vip)).toEqual(['Hidden'])
    // The membership has ended.
    const { entries } = await readSaved(app, reader, {})
    expect(entries).toMatchObject([{ slug: 'hidden', name: null, path: null }])
    expect(await exportReading(app, reader)).toMatchObject({ saved: [{ slug: 'hidden', item: null }] })
    await takeOutEntry(app, reader, 'hidden')
    expect(await namesOf()).toEqual([])
  })

  test('of one member are nobody else’s, and end with the account', async () => {
    const other = viewerOf(await aMember(app))
    await saveEntry(app, reader, 'first')
    expect(await namesOf(other)).toEqual([])
    await takeOutEntry(app, other, 'first')
    expect(await namesOf()).toEqual(['First'])
    await app.db.deleteFrom('users').where('id', '=', reader.member.id).execute()
    expect(await app.db.selectFrom('saved_entries').select('slug').execute()).toEqual([])
  })

  test('are at most so many, of which the one that is there can be saved again', async () => {
    await sql`insert into saved_entries (user_id, slug) select ${reader.member.id}::uuid, 'work-' || n from generate_series(1, ${maxSaved - 1}::int) n`.execute(
      app.db,
    )
    await saveEntry(app, reader, 'first')
    expect(await codeOf(saveEntry(app, reader, 'second'))).toBe('saved.too_many')
    expect(await codeOf(saveEntry(app, reader, 'first'))).toBeUndefined()
  })

  test('come in parts that follow one another, also where one was taken out in between', async () => {
    await sql`insert into saved_entries (user_id, slug, saved_at)
      select ${reader.member.id}::uuid, 'work-' || n, timestamptz '2024-01-01' + n / 3 * interval '1 minute' from generate_series(1, 250) n`.execute(
      app.db,
    )
    const slugs: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const after = next === '' ? undefined : readPlace(next)
      const part = await readSaved(app, reader, { after })
      slugs.push(...part.entries.map(({ slug }) => slug))
      next = part.next
      await takeOutEntry(app, reader, slugs.at(-1) as string)
    }
    expect(slugs).toHaveLength(250)
    expect(new Set(slugs).size).toBe(250)
    for (const wrong of ['', '1', '1.', 'x.first.', '1.First.', '1.first', `1.first.\u0000`])
      expect(readPlace(wrong), wrong).toBeUndefined()
  })
})

describe('the history of downloads', () => {
  const history = async (viewer = reader) =>
    (await readHistory(app, viewer, {})).entries.map(({ name, slug, host }) => `${name ?? `(${slug})`} ${host}`)

  test('has each link once, the latest first', async () => {
    await rememberDownload(app, reader, { slug: 'first', slot: 'link' })
    testApp.clock.advance(minute)
    await rememberDownload(app, reader, { slug: 'first', slot: 'linkG' })
    testApp.clock.advance(minute)
    await rememberDownload(app, reader, { slug: 'first', slot: 'link' })
    expect(await history()).toEqual(['First Mega', 'First Gofile'])
  })

  test('has the direct links of a VIP, whose names go with the membership', async () => {
    const vip = viewerOf({ id: reader.member.id }, 'vip')
    await countVipDownload(app, vip, { slug: 'hidden', slot: 'linkP' })
    expect(await history(vip)).toEqual(['Hidden Pixeldrain'])
    expect(await history()).toEqual(['(hidden) Pixeldrain'])
    expect(await exportDownloads(app, reader)).toMatchObject([{ slug: 'hidden', item: null, host: 'Pixeldrain' }])
  })

  test('takes nothing that the reader may not see, and no empty slot', async () => {
    for (const wrong of [
      { slug: 'hidden', slot: 'linkP' },
      { slug: 'draft', slot: 'link' },
      { slug: 'first', slot: 'linkP' },
      { slug: 'first', slot: 'name' },
    ])
      expect(await codeOf(rememberDownload(app, reader, wrong)), JSON.stringify(wrong)).toBe('download.unknown')
    expect(await history()).toEqual([])
  })

  test('is cleared, and switched off and on; a link that was counted today is not counted again', async () => {
    const vip = viewerOf({ id: reader.member.id }, 'vip')
    await countVipDownload(app, vip, { slug: 'first', slot: 'link' })
    await clearHistory(app, reader)
    expect(await history()).toEqual([])
    await countVipDownload(app, vip, { slug: 'first', slot: 'link' })
    await clearHistory(app, reader)
    expect(await app.db.selectFrom('download_events').select('slot').execute()).toHaveLength(1)
    await setKeepsHistory(app, reader, false)
    await rememberDownload(app, reader, { slug: 'first', slot: 'link' })
    expect(await readHistory(app, reader, {})).toEqual({ entries: [], next: null, keepsHistory: false })
    await setKeepsHistory(app, reader, true)
    await rememberDownload(app, reader, { slug: 'first', slot: 'link' })
    await rememberDownload(app, reader, { slug: 'second', slot: 'link' })
    await clearHistory(app, reader, 'second')
    expect(await history()).toEqual(['First Mega'])
  })

  test('is forgotten after 400 days; the counts know nobody from the next day on', async () => {
    const vip = viewerOf({ id: reader.member.id }, 'vip')
    await countVipDownload(app, vip, { slug: 'first', slot: 'link' })
    const counted = () => app.db.selectFrom('download_events').select('user_id').execute()
    await forgetOldDownloads(app)
    expect(await counted()).toEqual([{ user_id: reader.member.id }])
    testApp.clock.advance(day)
    await forgetOldDownloads(app)
    expect(await counted()).toEqual([{ user_id: null }])
    expect(await history()).toEqual(['First Mega'])
    testApp.clock.advance(400 * day)
    await forgetOldDownloads(app)
    expect(await history()).toEqual([])
    testApp.clock.advance(-401 * day)
  })
})

describe('visits', () => {
  const visit = (viewer = reader) => recordVisit(app, viewer)

  test('the first has nothing to be new since; the next has what came after the last sign of the one before', async () => {
    expect(await visit()).toEqual({ newSince: null, fresh: [], saved: [], keepsHistory: true })
    testApp.clock.advance(29 * minute)
    await visit()
    const end = new Date(app.clock.now()).toISOString()
    testApp.clock.advance(10 * minute)
    // With a post date of long ago, and one that was scheduled for now.
    await someItems(app, [
      { name: 'Late', postDate: '2020-01-01' },
      { name: 'Third', postDate: '2024-03-15' },
      { name: 'Secret', postDate: '2024-03-15', contentType: 'vip-western' },
      { name: 'Ahead', postDate: '2024-03-17' },
    ])
    testApp.clock.advance(20 * minute)
    const next = await visit()
    expect(next).toMatchObject({ newSince: end, fresh: ['third', 'late'] })
    // A reload, another tab, another device.
    testApp.clock.advance(minute)
    expect(await visit()).toEqual(next)
    const vip = viewerOf({ id: reader.member.id }, 'vip')
    expect((await visit(vip)).fresh.toSorted()).toEqual(['late', 'secret', 'third'])
    testApp.clock.advance(2 * day)
    expect((await visit()).fresh).toEqual(['ahead'])
    testApp.clock.advance(day)
    expect((await visit()).fresh).toEqual([])
  })

  test('know the saved entries, and nothing of other members', async () => {
    await saveEntry(app, reader, works[1]?.slug ?? '')
    expect((await visit()).saved).toEqual(['second'])
    expect((await visit(viewerOf(await aMember(app)))).saved).toEqual([])
  })

  test('an edit makes nothing new again', async () => {
    await visit()
    testApp.clock.advance(day)
    const { id } = works[0] as MadeItem
    await sql`insert into clearances (item_id, version, fingerprint, checks, cleared_by, cleared_at)
      values (${id}::uuid, 99, 'x', '[]', 'test', ${new Date(app.clock.now() - minute)})`.execute(app.db)
    expect((await visit()).fresh).toEqual([])
  })
})
