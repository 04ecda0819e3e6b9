import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sequence } from '../../../../tests/harness/sequence.ts'
import { type ItemOverrides, someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { isVipType } from '../item/content-type.ts'
import { isListed, listingTime } from './is-listed.ts'
import { visibleItems } from './visible-items.server.ts'

const day = 86_400_000
const vip: Viewer = { ...anonymous, roles: new Set(['vip']) }
const admin: Viewer = { ...anonymous, roles: new Set(['admin']) }

const test = appOfFile({ now: '2024-03-15T12:00:00Z', env: { EARLY_ACCESS_DAYS: '2' } })

it('states one rule: the function, the base query, the index and a search agree on every item, viewer and instant', async () => {
  const { app, clock } = test
  const random = sequence(20_261_122)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  // The gate goes by the clock of the database: whatever lapses does so after it.
  const today = Math.floor(Date.now() / 1_000) * 1_000
  const iso = (ms: number): string => new Date(ms).toISOString()
  const wanted = Array.from({ length: 48 }, (_, i): ItemOverrides => {
    const status = pick(['draft', 'published', 'published', 'published', 'restricted', 'removed'] as const)
    return {
      name: `Work ${i}`,
      contentType: pick(['asian', 'western', 'vip-asian', 'vip-western']),
      postDate: iso(today + Math.round((random() * 10 - 5) * day)),
      ...(random() < 0.4 ? { validTo: iso(today + day / 24 + Math.round(random() * 5 * day)) } : {}),
      status,
    }
  })
  await someItems(app, wanted)
  const rows = await app.db
    .selectFrom('items')
    .select(['no', 'status', 'content_type', 'post_date', 'lapses_at'])
    .orderBy('no')
    .execute()
  expect(rows.length).toBe(wanted.length)
  const edges = rows.flatMap(({ post_date, lapses_at }) => [
    Number(post_date),
    Number(post_date) - 2 * day,
    Number(lapses_at ?? post_date),
  ])
  // Forwards: what has lapsed does not come back. At each edge, just before it, and between.
  const instants = [today - 6 * day, ...edges.flatMap((at) => [at - 1, at]), today + 7 * day].sort((a, b) => a - b)
  const sizes = new Set<number>()
  for (const now of instants) {
    clock.set(iso(now))
    for (const viewer of [anonymous, vip, admin]) {
      const bySql = await visibleItems(app.db, viewer, listingTime(app))
        .select('items.no')
        .orderBy('items.no')
        .execute()
      const expected = bySql.map(({ no }) => no)
      const byFunction = rows.filter(({ status, content_type, post_date, lapses_at }) =>
        isListed(
          {
            isPublished: status === 'published',
            isVip: isVipType(content_type),
            postedAt: Number(post_date),
            lapsesAt: lapses_at && Number(lapses_at),
          },
          viewer,
          listingTime(app),
        ),
      )
      const label = `${iso(now)} ${[...viewer.roles].join() || 'visitor'}`
      expect(
        byFunction.map(({ no }) => no),
        label,
      ).toEqual(expected)
      expect(
        rows.map(({ no }) => no).filter((no) => app.listing.isListed(no, viewer)),
        label,
      ).toEqual(expected)
      const { itemNumbers, total } = app.listing.search(
        { text: '', from: -Infinity, to: Infinity, ascending: true, skip: 0, limit: 300 },
        viewer,
      )
      expect(
        [...itemNumbers].sort((a, b) => a - b),
        label,
      ).toEqual(expected)
      expect(total, label).toBe(expected.length)
      sizes.add(expected.length)
    }
  }
  // The catalogue was not empty, nor all of it visible all the time.
  expect(sizes.size).toBeGreaterThan(10)
  const { rows: lapsed } = await sql<{ n: number }>`
    select count(*)::int as n from items where lapses_at is not null and status = 'published'`.execute(app.db)
  expect(lapsed[0]?.n).toBeGreaterThan(5)
})
