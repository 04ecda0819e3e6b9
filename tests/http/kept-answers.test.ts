import { sql } from 'kysely'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Gateway } from '../../src/features/catalogue/gateway/gateway.server.ts'
import { CatalogueIndex } from '../../src/features/catalogue/index/catalogue-index.server.ts'
import { ResponseCache } from '../../src/http/cache/response-cache.ts'
import type { App } from '../../src/app/app.ts'
import type { Pages } from '../../src/http/pages/pages.ts'
import { openServer, type RunningServer } from '../../src/app/server.ts'
import { type TestResponse, sendRequest, decode } from '../harness/request.ts'
import { editItem, type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'
import { sequence } from '../harness/sequence.ts'

/* Compares a server's answers from memory with those that another one computes anew, over the same database, from a
   listing that it has just read whole. After every step of a long random history of writes and time they must be
   equal. */

/** Noon of tomorrow: the gate uses the clock of the database, and rights that end by this clock are still valid by that one. */
const start = (Math.floor(Date.now() / 86_400_000) + 1.5) * 86_400_000
const hour = 3_600_000
const words = ['whale', 'night', 'garden', 'river', '三國', '演義', 'Café', 'letter']
const rare = ['Zanzibar', 'Ωμέγα', 'Angstrom']
const types = ['asian', 'asian', 'western', 'western', 'western', 'banned', 'unknown', 'vip-asian', 'vip-western']

/** A server over the same database that keeps nothing. */
async function openFresh(app: App): Promise<RunningServer & { url: string; listing: CatalogueIndex }> {
  const build = resolve(import.meta.dirname, '../../build')
  const { openPages } = (await import(pathToFileURL(join(build, 'server', 'index.js')).href)) as {
    openPages: (app: App) => Pages
  }
  const gateway = new Gateway(app)
  const listing = new CatalogueIndex({ ...app, gateway })
  await listing.load()
  const fresh: App = { ...app, gateway, listing, answers: new ResponseCache(0) }
  const running = await openServer(fresh, { pages: openPages(fresh), assetsDirectory: join(build, 'client') })
  await new Promise<void>((listening) => running.server.listen(0, '127.0.0.1', listening))
  const address = running.server.address() as { port: number }
  return { ...running, listing, url: `http://127.0.0.1:${address.port}` }
}

class History {
  readonly #site: TestServer
  readonly #random: () => number
  readonly #items: { made: MadeItem; overrides: ItemOverrides }[] = []
  #count = 0
  /** The name of the category that is renamed now and then. */
  #art = 'Art'

  constructor(site: TestServer, seed: number) {
    this.#site = site
    this.#random = sequence(seed)
  }

  unit(): number {
    return this.#random()
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.unit() * from.length)] as T
  }

  get slugs(): string[] {
    return this.#items.map(({ made }) => made.slug)
  }

  overrides(): ItemOverrides {
    const contentType = this.pick(types)
    const hours = Math.floor(this.unit() * 24 * 40 - 30)
    this.#count += 1
    return {
      name: this.name(),
      slug: `work-${this.#count}`,
      contentType,
      category:
        contentType === 'banned'
          ? 'Banned'
          : contentType === 'unknown'
            ? 'Unknown'
            : this.pick(['Film', this.#art, 'Banned']),
      region: contentType.endsWith('asian')
        ? 'asian'
        : contentType.endsWith('western')
          ? 'western'
          : this.pick(['asian', 'western']),
      postDate: new Date(this.#site.clock.now() - hours * hour).toISOString(),
      ...(this.unit() < 0.1
        ? { validTo: new Date(this.#site.clock.now() + this.unit() * 60 * hour).toISOString() }
        : {}),
      permitsPaidAccess: 'true',
      ...this.makers(),
      status: this.unit() < 0.9 ? 'published' : 'draft',
    }
  }

  name(): string {
    const some = Array.from({ length: 1 + Math.floor(this.unit() * 3) }, () => this.pick(words))
    return [...some, ...(this.unit() < 0.06 ? [this.pick(rare)] : []), String(Math.floor(this.unit() * 50))].join(' ')
  }

  /** Some entries are by one and the same, or of one series. */
  makers(): ItemOverrides {
    const series = this.pick(['', '', 'Night letters', '三國'])
    return {
      creators: this.pick(['', '', 'Ann Writer', 'Ann Writer; 羅貫中', '羅貫中']),
      series,
      seriesNumber: series === '' ? '' : String(Math.floor(this.unit() * 9)),
    }
  }

  async insert(count: number): Promise<void> {
    const wanted = Array.from({ length: count }, () => this.overrides())
    const made = await someItems(this.#site.app, wanted)
    this.#items.push(...made.map((each, i) => ({ made: each, overrides: wanted[i] as ItemOverrides })))
  }

  /** One write, of whatever kind. */
  async write(): Promise<void> {
    const { app, clock } = this.#site
    const { db } = app
    const kind = this.unit()
    const item = this.pick(this.#items)
    const edit = async (change: ItemOverrides): Promise<void> => {
      const ends = change.validTo ?? item.overrides.validTo
      Object.assign(item.overrides, change)
      // Rights that have ended would be refused.
      if (ends !== undefined && Date.parse(ends) <= clock.now()) delete item.overrides.validTo
      await editItem(app, item.made, item.overrides)
    }
    if (kind < 0.16) return edit({ name: this.name() })
    if (kind < 0.22) return edit(this.makers())
    if (kind < 0.4) return edit({ link: `https://${this.pick(['mega.nz', 'files.example'])}/${this.#count++}` })
    if (kind < 0.55) return edit({ postDate: this.overrides().postDate as string })
    if (kind < 0.65) {
      const { contentType, category, region } = this.overrides()
      return edit({ contentType, category, region } as ItemOverrides)
    }
    if (kind < 0.7) return edit({ validTo: new Date(clock.now() + this.unit() * 30 * hour).toISOString() })
    if (kind < 0.82) return this.insert(1 + Math.floor(this.unit() * 3))
    if (kind < 0.9) {
      await sql`update items set status = 'restricted' where id = ${item.made.id} and status = 'published'`.execute(db)
    } else if (kind < 0.95) {
      await db.deleteFrom('items').where('id', '=', item.made.id).execute()
      this.#items.splice(this.#items.indexOf(item), 1)
    } else if (kind < 0.965) {
      // Every page of an item changes with the gateway.
      await sql`
        insert into gateway_settings (version, provider, account, public_key, raw, wait_seconds)
        values (1, 'off', '', '', false, 5)
            on conflict (only_row) do update set version = gateway_settings.version + 1,
               provider = case gateway_settings.provider when 'off' then 'local' else 'off' end`.execute(db)
    } else if (kind < 0.98) {
      await sql`update items set link = link where id = ${item.made.id}`.execute(db)
    } else {
      // A name for a category, and back.
      const name = this.#art === 'Art' ? 'Artwork' : 'Art'
      await sql`update categories set name = ${name}, name_folded = ${name.toLowerCase()} where name = ${this.#art}`.execute(
        db,
      )
      for (const { overrides } of this.#items) if (overrides.category === this.#art) overrides.category = name
      this.#art = name
    }
    await app.listing.catchUp()
  }

  /** Something that a visitor asks. */
  query(withPages: boolean): string {
    const unit = this.unit()
    if (withPages && unit < 0.25) {
      const slug = this.pick(this.slugs.slice(0, 40))
      return this.pick([
        '/',
        '/plans',
        '/western',
        '/asian?month=' + String(1 + Math.floor(this.unit() * 3)).padStart(2, '0'),
        '/western?dateFilter=today',
        '/banned?sort=oldest',
        '/western?search=whale',
        '/western?search=zanzibar',
        '/asian?search=angstrum',
        `/western/${slug}`,
        `/asian/${slug}`,
        `/banned/${slug}`,
      ])
    }
    if (unit < 0.4) return `/${this.pick(['western', 'asian'])}content/${this.pick(this.slugs.slice(0, 40))}`
    const query: Record<string, string> = {
      limit: this.pick(['4', '25', '300']),
      page: this.pick(['1', '1', '2', '3', '9']),
    }
    if (this.unit() < 0.5) query['contentType'] = this.pick(['western', 'asian', 'banned'])
    else query['tier'] = 'free'
    const filter = this.unit()
    if (filter < 0.15) query['category'] = this.pick(['film', 'Art', 'Artwork', 'Banned', 'nothing'])
    else if (filter < 0.3) query['dateFilter'] = this.pick(['today', 'yesterday', '7days'])
    else if (filter < 0.4) query['month'] = this.pick(['01', '06', '11', '12'])
    else if (filter < 0.7) {
      query['search'] = this.pick([
        'whale',
        'river garden',
        '三',
        'zanzibar',
        'ωμεγα',
        'angstrom',
        'angstrum',
        'zanzibor',
        '7',
      ])
    }
    if (this.unit() < 0.3) query['sortOrder'] = 'ASC'
    return `/universal-search/search?${new URLSearchParams(query).toString()}`
  }
}

interface Found {
  data: unknown[]
  total: number
}

function same(query: string, given: TestResponse, wanted: TestResponse): void {
  expect(given.status, query).toBe(wanted.status)
  expect(given.text, query).toBe(wanted.text)
}

describe.each([
  { size: 150, steps: 70, queries: 16, seed: 3, withPages: true },
  // Long enough for the trigram index to be asked.
  { size: 3_400, steps: 18, queries: 16, seed: 11, withPages: false },
])('a catalogue of $size', ({ size, steps, queries, seed, withPages }) => {
  let site: TestServer
  let fresh: Awaited<ReturnType<typeof openFresh>>
  beforeAll(async () => {
    site = await openTestServer({ now: new Date(start).toISOString() })
    fresh = await openFresh(site.app)
  })
  afterAll(async () => {
    await fresh.stop()
    await site.close()
  })

  it('is answered out of memory as it would be answered anew, whatever was written and whenever', async () => {
    const { app, clock } = site
    const headers = { 'api-key': app.config.clientApiKey }
    const history = new History(site, seed)
    for (let made = 0; made < size; made += 850) await history.insert(Math.min(850, size - made))
    const peek = vi.spyOn(app.answers, 'peek')
    // Few questions, so that most have been asked before.
    const pool = Array.from({ length: 90 }, () => history.query(withPages))
    let lifted = 0
    for (let step = 0; step < steps; step += 1) {
      const requested = Array.from({ length: queries }, () => history.pick(pool))
      const kind = history.unit()
      if (kind < 0.12) clock.advance(Math.floor(history.unit() * 6 * hour))
      else if (kind < 0.15) clock.advance(20 * hour)
      else if (kind < 0.5) {
        // Several commits that are read together.
        const catchUp = vi.spyOn(app.listing, 'catchUp').mockResolvedValue()
        for (let i = 0; i < 4; i += 1) await history.write()
        catchUp.mockRestore()
        await app.listing.catchUp()
      } else if (kind < 0.7) {
        // Questions while the catalogue changes.
        await Promise.all([
          history.write(),
          ...requested.slice(0, 5).map((query) => sendRequest(site.url + query, { headers })),
        ])
      } else await history.write()
      await app.listing.catchUp()
      await fresh.listing.load()
      for (const query of requested) {
        peek.mockClear()
        const given = await sendRequest(site.url + query, { headers })
        if (peek.mock.results.some(({ value }) => value !== undefined)) lifted += 1
        same(query, given, await sendRequest(fresh.url + query, { headers }))
      }
    }
    // Not everything was doubtful all the time.
    expect(lifted / (steps * queries)).toBeGreaterThan(0.15)
  }, 400_000)
})

describe('an edit', () => {
  let site: TestServer
  let works: MadeItem[]
  const work = (i: number): ItemOverrides => ({
    name: `Work ${i}`,
    slug: `work-${i}`,
    category: i % 2 === 0 ? 'Film' : 'Art',
    postDate: new Date(start - (i + 1) * hour).toISOString(),
  })
  beforeAll(async () => {
    site = await openTestServer({ now: new Date(start).toISOString() })
    works = await someItems(site.app, [
      ...Array.from({ length: 50 }, (_, i) => work(i)),
      { name: 'From Asia', contentType: 'asian', slug: 'from-asia' },
    ])
  })
  afterAll(() => site.close())

  const list = '/universal-search/search?contentType=western&limit=10'
  const kept = [
    list,
    `${list}&page=2`,
    `${list}&search=work`,
    `${list}&search=xylophone`,
    `${list}&category=film&sortOrder=ASC`,
    '/universal-search/search?contentType=asian',
  ]
  const pages = ['/', '/plans', '/western', '/asian', '/western/work-3', '/western?search=from+asia']

  /** Which of the questions are computed when they are asked now. */
  async function computed(): Promise<string[]> {
    const { app } = site
    const make = vi.spyOn(app.answers, 'get')
    const found: string[] = []
    for (const query of [...kept, ...pages]) {
      make.mockClear()
      await site.call(query)
      if (make.mock.calls.length > 0) found.push(query)
    }
    make.mockRestore()
    return found
  }

  const doubtfulAfter = async (edit: () => Promise<unknown>): Promise<string[]> => {
    await computed()
    expect(await computed()).toEqual([])
    const { version } = site.app.listing
    await edit()
    expect(site.app.listing.version).toBeGreaterThan(version)
    return computed()
  }

  it('of a name or a link moves nothing, and leaves every answer in place that does not show it', async () => {
    const { listing } = site.app
    const { generation } = listing
    const rename = (i: number, name: string) => editItem(site.app, works[i] as MadeItem, { ...work(i), name })
    expect(await doubtfulAfter(() => rename(41, 'Work 41 under another name'))).toEqual(['/western'])
    expect(await doubtfulAfter(() => rename(15, 'Work 15 under another name'))).toEqual([`${list}&page=2`, '/western'])
    const link = 'https://files.example/another'
    expect(await doubtfulAfter(() => editItem(site.app, works[3] as MadeItem, { ...work(3), link }))).toEqual([
      list,
      `${list}&search=work`,
      '/western',
      '/western/work-3',
    ])
    expect((await site.item('/westerncontent/work-3')).item).toMatchObject({ link })
    expect(listing.generation).toBe(generation)
    // A name that comes to have the word, and one that has it no longer.
    const search = '/western?search=from+asia'
    const found = async (): Promise<unknown[]> =>
      (decode(((await site.call(`${list}&search=from+asia`)).json() as { data: unknown }).data) as Found).data
    expect(await found()).toEqual([])
    expect(await doubtfulAfter(() => rename(41, 'Work 41 from Asia'))).toEqual(['/western', search])
    expect(await found()).toMatchObject([{ name: 'Work 41 from Asia' }])
    expect(await doubtfulAfter(() => rename(41, 'Work 41'))).toEqual(['/western', search])
    expect(await found()).toEqual([])
    expect(listing.generation).toBe(generation)
  })

  it('that moves an item beside a page leaves the page in place', async () => {
    const move = (i: number, hours: number) =>
      editItem(site.app, works[i] as MadeItem, { ...work(i), postDate: new Date(start - hours * hour).toISOString() })
    // From behind the second page to elsewhere behind it, among the odd ones.
    expect(await doubtfulAfter(() => move(41, 48.5))).toEqual(['/western'])
    // From behind both to before them.
    expect(await doubtfulAfter(() => move(41, 0.5))).toEqual([
      list,
      `${list}&page=2`,
      `${list}&search=work`,
      // It shows the newest.
      '/',
      '/western',
      // It shows others of its day.
      '/western/work-3',
    ])
  })

  it('that lets an item come or go at another time touches every list that it is in', async () => {
    const { clock } = site
    const lists = [list, `${list}&page=2`, `${list}&search=work`, '/', '/western']
    const at = (hours: number): string => new Date(start + hours * hour).toISOString()
    const change = (i: number, overrides: ItemOverrides) => () =>
      editItem(site.app, works[i] as MadeItem, { ...work(i), ...overrides })
    // Behind both pages; its rights are to end.
    expect(await doubtfulAfter(change(45, { validTo: at(2) }))).toEqual(lists)
    expect(await doubtfulAfter(change(47, { postDate: at(6) }))).toEqual([...lists, '/western/work-3'])
    // Ahead, and still ahead.
    expect(await doubtfulAfter(change(47, { postDate: at(4) }))).toEqual([...lists, '/western/work-3'])
    const total = async (): Promise<number> => {
      const answer = await site.call(`${list}&page=2`)
      return (decode((answer.json() as { data: unknown }).data) as Found).total
    }
    expect(await total()).toBe(49)
    clock.set(at(2))
    expect(await total()).toBe(48)
    clock.set(at(4))
    expect(await total()).toBe(49)
    // From ahead of the second page to elsewhere ahead of it, but to be seen now.
    await change(47, { postDate: at(9) })()
    expect(await total()).toBe(48)
    await change(47, { postDate: at(3.5) })()
    expect(await total()).toBe(49)
  })

  it('that brings a category into being, or makes it again, touches who has asked for it', async () => {
    const { app } = site
    const total = async (): Promise<number> => {
      const answer = await site.call(`${list}&category=opera`)
      return (decode((answer.json() as { data: unknown }).data) as Found).total
    }
    expect(await total()).toBe(0)
    const [first] = await someItems(app, [{ name: 'Fidelio', category: 'Opera', postDate: '2020-01-01' }])
    expect(await total()).toBe(1)
    await app.db.deleteFrom('items').where('slug', '=', String(first?.slug)).execute()
    await app.listing.catchUp()
    expect(await total()).toBe(0)
    await app.db.deleteFrom('categories').where('name', '=', 'Opera').execute()
    await someItems(app, [{ name: 'Norma', category: 'Opera', postDate: '2020-01-01' }])
    expect(await total()).toBe(1)
  })
})
