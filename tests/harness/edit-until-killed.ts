import { type Kysely, sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/open-app.ts'
import type { App } from '../../src/app/app.ts'
import type { Database } from '../../src/db/database.ts'
import { searchedText } from '../../src/features/catalogue/item/searched-text.ts'
import { anonymous, type Viewer } from '../../src/features/office/viewer/viewer.ts'
import { openLog } from '../../src/platform/log.ts'
import { someItems } from './items.ts'
import { sequence } from './sequence.ts'

/*
 * A process of its own: the application on DATA_DIR compares every answer of its catalogue with SQL, says so, and then edits it
 * until it is killed. Without a kill it ends in order.
 */

const vip: Viewer = { ...anonymous, roles: new Set(['vip']) }
const everything = { text: '', from: -Infinity, to: Infinity, ascending: false, skip: 0, limit: 1_000_000 }
const words = ['whale', 'wha', 'song', 'night', 'e', '7', '42', 'whale night']

const [count = 0, seed = 0] = process.argv.slice(2).map(Number)
const random = sequence(seed)
const below = (end: number): number => Math.floor(random() * end)
const config = readConfig({ DEMO: '0', EMBEDDED_SYNC: 'off', PORT: '0', ...process.env })
const { app, close } = await openApp(config, openLog('warn'), { hasClockwork: false })
const {
  rows: [known],
} = await sql<{ count: number }>`select count(*)::int as count from items`.execute(app.db)
if (known?.count === 0) {
  for (let from = 0; from < count; from += 400) {
    const items = Array.from({ length: 400 }, (_, i) => ({
      name: nameOf(i),
      slug: `work-${from + i}`,
      postDate: `2024-01-0${1 + (i % 9)}`,
    }))
    await someItems(app, items)
  }
  say('made')
}
await compare(app)
say('right')
for (let step = 0; step < 10; step += 1) {
  await edit(app.db, step)
  await app.listing.catchUp()
  if (step % 5 === 4) {
    await compare(app)
    say('edited')
  }
}
say('closing')
await close()

function say(word: string): void {
  process.stdout.write(`${word}\n`)
}

function nameOf(i: number): string {
  return `${['Whale', 'Song', 'Night'][i % 3]} of the ${['night', 'whale', 'day', 'sea'][below(4)]} ${i % 100}`
}

/** @throws {Error} when an answer is another one than SQL gives */
async function compare({ db, listing }: App): Promise<void> {
  const { rows } = await sql<{
    no: number
    slug: string
    name: string
    category: string
    postDate: Date
    updatedAt: Date
    link: string
    searched: string
  }>`
    select i.no, slug, i.name, c.name as category, post_date as "postDate", i.updated_at as "updatedAt", link, searched
      from items i join categories c on c.id = i.category_id where status = 'published' and post_date <= now()
     order by post_date desc, i.created_at desc, no desc`.execute(db)
  const found = listing.search(everything, vip)
  expectEqual('the list', found, { itemNumbers: rows.map(({ no }) => no), total: rows.length })
  const items = await listing.readItems(found.itemNumbers, vip)
  for (const [i, { no, link, searched: _, postDate, updatedAt, ...facts }] of rows.entries()) {
    const expected = { ...facts, postDate: postDate.toISOString(), updatedAt: updatedAt.toISOString() }
    expectEqual(`row ${no}`, items[i]?.item, expected)
    const single = await listing.findItem(facts.slug, vip)
    expectEqual(`item ${no}`, single?.item, expected)
    expectEqual(`links of ${no}`, single?.links.reveal(), { link })
  }
  for (const text of words) {
    const wanted = rows.filter(({ searched }) => text.split(' ').every((word) => searched.includes(word)))
    const result = listing.search({ ...everything, text }, vip)
    expectEqual(`what ${text} finds`, result, { itemNumbers: wanted.map(({ no }) => no), total: wanted.length })
  }
  const others = await db.selectFrom('items').select('slug').where('status', '<>', 'published').execute()
  for (const { slug } of others) expectEqual(slug, { item: await listing.findItem(slug, vip) }, { item: undefined })
}

function expectEqual(what: string, actual: object | undefined, expected: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(expected))
    if (!isDeepStrictEqual((actual as Record<string, unknown> | undefined)?.[name], value))
      throw new Error(
        `${what}: ${name} is ${String((actual as Record<string, unknown> | undefined)?.[name])}, not ${String(value)}`,
      )
}

/** Some hundred names at once: so many make a segment of their own, and eight of them are merged. */
async function edit(db: Kysely<Database>, step: number): Promise<void> {
  const remainder = below(2)
  const named = await db
    .selectFrom('items')
    .select('no')
    .where(sql<boolean>`no % 2 = ${remainder}`)
    .execute()
  const names = named.map(({ no }) => nameOf(no + step))
  const searched = names.map((name) => searchedText({ name }))
  await sql`
    with given as (select * from unnest(${named.map(({ no }) => no)}::int[], ${names}::text[], ${searched}::text[])
                     as given (no, name, searched)),
         edited as (update items set name = given.name, searched = given.searched, version = version + 1,
                                     cleared_version = version + 1, updated_at = clock_timestamp()
                      from given where items.no = given.no returning id, version, fingerprint)
    insert into clearances (item_id, version, fingerprint, checks, cleared_by)
    select id, version, fingerprint, '[]', 'test' from edited`.execute(db)
  const some = sql`no % 97 = ${below(97)}`
  await sql`update items set post_date = post_date - interval '1 day' where ${some}`.execute(db)
  await sql`update items set status = 'restricted' where status = 'published' and no % 211 = ${below(211)}`.execute(db)
  await sql`delete from items where no % 499 = ${below(499)}`.execute(db)
  await someItems(app, [{ name: nameOf(step), slug: `added-${seed}-${step}`, postDate: '2024-02-01' }])
  const addition = ` ${seed} ${step}`
  if (step % 8 === 3)
    await sql`update categories set name = name || ${addition}, name_folded = name_folded || ${addition}
               where id = (select max(category_id) from items)`.execute(db)
}
