import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ResponseCache } from '../../src/http/cache/response-cache.ts'
import type { App } from '../../src/app/app.ts'
import { openServer, type RunningServer } from '../../src/app/server.ts'
import type { Pages } from '../../src/http/pages/pages.ts'
import { editItem, type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { sendRequest, type TestResponse } from '../harness/request.ts'
import { sequence } from '../harness/sequence.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/* Compares pages that are put together from templates with the same pages rendered whole, byte by byte. */

const words = ['whale', 'night', 'garden', '三國', 'Café', 'letter', '</script>', '“a & b”', "'", '\\u003c', '987653']
const types = ['asian', 'asian', 'asian', 'asian', 'asian', 'western', 'banned', 'unknown']
const categories = ['Literature', 'Film', 'R&B', 'Music <live>']

let site: TestServer
let spliced: Running
let whole: Running
/** How many pages, and pages of stand-ins, the site with templates has rendered. */
let rendered = 0
let random = sequence(1)
const items: MadeItem[] = []

const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

beforeAll(async () => {
  site = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  const build = resolve(import.meta.dirname, '../../build')
  const { openPages } = (await import(pathToFileURL(join(build, 'server', 'index.js')).href)) as {
    openPages: (app: App) => Pages
  }
  // Nothing is kept, so that each question makes its page.
  const app: App = { ...site.app, answers: new ResponseCache(0) }
  const pages = openPages(app)
  const assetsDirectory = join(build, 'client')
  const { build: name, render, templates, splice } = pages
  const counted = <Given extends unknown[], Result>(make: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      rendered += 1
      return make(...given)
    }
  }
  const counting: Pages = {
    build: name,
    render: counted(render),
    ...(templates === undefined ? {} : { templates }),
    async splice(...given) {
      const page = await splice?.(...given)
      return page && { ...page, render: counted(page.render) }
    },
  }
  spliced = await listen(await openServer(app, { pages: counting, assetsDirectory }))
  whole = await listen(await openServer(app, { pages: { build: name, render }, assetsDirectory }))
  const wanted = Array.from({ length: 2_200 }, (_, no) => overrides(no))
  items.push(...(await someItems(site.app, wanted)))
}, 120_000)
afterAll(async () => {
  await spliced.stop()
  await whole.stop()
  await site.close()
})

interface Running extends RunningServer {
  url: string
}

async function listen(running: RunningServer): Promise<Running> {
  await new Promise<void>((listening) => running.server.listen(0, '127.0.0.1', listening))
  return { ...running, url: `http://127.0.0.1:${(running.server.address() as { port: number }).port}` }
}

function overrides(no: number): ItemOverrides {
  const contentType = pick(types)
  const hours = Math.floor(random() * 24 * 90)
  return {
    name: `${pick(words)} ${pick(words)} – ${no}${random() < 0.2 ? ` and a long name whose telling part, vol. ${no}, is its end` : ''}`,
    slug: `work-${no}`,
    contentType,
    category:
      contentType === 'banned'
        ? 'Banned'
        : contentType === 'unknown'
          ? 'Unknown'
          : pick(no < 600 ? categories : ['Film']),
    postDate: new Date(Date.parse('2024-03-15T12:00:00Z') - hours * 3_600_000).toISOString(),
    ...(random() < 0.3 ? { creators: 'Anna; B. & C.' } : {}),
  }
}

/** A question as visitors, crawlers and people who edit addresses by hand ask it. */
function address(): string {
  const path = pick(['/asian', '/asian', '/western', '/banned', '/unknown'])
  const query = new URLSearchParams()
  if (random() < 0.15) query.set('search', pick([...words, ' whale ', 'wh', 'nothing has this name', 'nihgt']))
  if (random() < 0.2) query.set('category', pick([...categories, 'Banned', 'none']))
  if (random() < 0.2) query.set('month', pick(['01', '02', '03', '13']))
  if (random() < 0.1) query.set('dateFilter', pick(['today', 'yesterday', '7days', 'ever']))
  if (random() < 0.2) query.set('sort', pick(['oldest', 'mostRecent', 'bestMatch']))
  if (random() < 0.7) query.set('page', pick(['1', '2', '3', '4', '03', '5', '99', '0', 'x', '987653']))
  if (random() < 0.1) query.set('utm_source', 'letter')
  return path + (query.size === 0 ? '' : `?${query.toString()}`)
}

/** The two texts from where they differ. */
function firstDifference(one: string, other: string): [string, string] | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at += 1
  return [one.slice(at - 40, at + 80), other.slice(at - 40, at + 80)]
}

const policyOf = ({ headers }: TestResponse): unknown => headers['content-security-policy']

async function compare(path: string): Promise<void> {
  const [put, all] = [await sendRequest(spliced.url + path), await sendRequest(whole.url + path)]
  expect(put.status, path).toBe(all.status)
  expect(firstDifference(put.text, all.text), path).toBeUndefined()
  expect(policyOf(put), path).toBe(policyOf(all))
  expect(put.headers['etag'], path).toBe(all.headers['etag'])
}

test('200 random questions have the bytes and the policy of pages that are rendered whole, between edits', async () => {
  random = sequence(23)
  for (let asked = 0; asked < 200; asked += 1) {
    await compare(address())
    if (asked % 20 !== 0) continue
    const item = pick(items)
    await editItem(site.app, item, overrides(items.indexOf(item)))
    site.clock.advance(3_600_000)
  }
}, 120_000)

test('pages that differ in their rows and numbers alone are rendered once', async () => {
  await compare('/asian?page=3')
  rendered = 0
  await compare('/asian?page=4')
  await editItem(site.app, items[700] as MadeItem, { name: 'A new name', slug: 'work-700', category: 'Film' })
  await compare('/asian?page=3')
  expect(rendered).toBe(0)
})

test('a list of one entry', async () => {
  await someItems(site.app, [{ name: 'Zanzibar', category: 'Alone' }])
  rendered = 0
  await compare('/western?category=Alone')
  await compare('/western?category=Alone')
  expect(rendered).toBe(1)
})
