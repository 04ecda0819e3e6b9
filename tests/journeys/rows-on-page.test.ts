import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { visitsOfFile } from '../harness/browser.ts'
import { someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* The rows that the browser has read off a page are those that the server wrote on it, character by character. */

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })
const { visit } = visitsOfFile(server)

const names = [
  '&lt;b&gt; & <i>"x"</i> \\t \\n',
  "</span><small>O'Brien – ‘A’",
  'A long name with <mark>, whose telling part is its end — vol. 12, “the last”',
  '紅樓夢・第二回 👩‍👩‍👧',
  'كليلة ودمنة',
  'Ω=0+1',
]

beforeAll(async () => {
  const items = names.flatMap((name, no) => [
    { name, slug: `a-${no}`, postDate: `2024-03-${10 + (no % 3)}`, category: 'R&B <live>' },
    { name: `${name} B`, slug: `b-${no}`, postDate: '2024-02-28', creators: `${name}; <em> & Co.` },
    { name: `${name} C`, slug: `c-${no}`, postDate: '2023-12-31', alsoKnownAs: `<small>; ${name}` },
    { name: `${name} D`, slug: `d-${no}`, creators: 'A; B', alsoKnownAs: 'C; D' },
    { name: `${name} E`, slug: `e-${no}`, contentType: 'asian', category: 'Banned' } as const,
    { name: `${name} F`, slug: `f-${no}`, contentType: 'banned', category: 'Banned' } as const,
  ])
  await someItems(server.app, items)
})

/** The headings and the rows, as markup. */
const written = (page: Page) =>
  page.locator('#entries :is(h2, li > a)').evaluateAll((all) => all.map((one) => one.outerHTML))

test.each(['/western', '/banned', '/western?sort=oldest&month=02'])(
  '%s, written anew from what was read',
  async (path) => {
    let byServer: string[] = []
    await visit({ hasScripts: false }, async (page) => {
      await page.goto(path)
      byServer = await written(page)
    })
    expect(byServer.length).toBeGreaterThan(6)
    await visit({}, async (page) => {
      await page.goto(path)
      await page.locator('.key-legend kbd').first().waitFor()
      await page
        .locator('#entries a')
        .first()
        .evaluate((link: HTMLElement) => link.click())
      await page.locator('article h1').waitFor()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goBack()
      await page.locator('#entries a').first().waitFor()
      expect(await written(page)).toEqual(byServer)
      expect(asked.filter((url) => /universal-search|\/(?:western|banned)\.data/.test(url))).toEqual([])
    })
  },
)
