import type { Page, Request } from 'playwright'
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

test('Rows that were read off a page are written anew as the server wrote them', async () => {
  const paths = ['/western', '/banned', '/western?sort=oldest&month=02']
  const byServer: Record<string, string[]> = {}
  await visit({ hasScripts: false }, async (page) => {
    for (const path of paths) {
      await page.goto(path)
      byServer[path] = await written(page)
      expect(byServer[path].length, path).toBeGreaterThan(6)
    }
  })
  await visit({}, async (page) => {
    for (const path of paths) {
      await page.goto(path)
      await page.locator('.key-legend kbd').first().waitFor()
      await page
        .locator('#entries a')
        .first()
        .evaluate((link: HTMLElement) => link.click())
      await page.locator('article h1').waitFor()
      const asked: string[] = []
      const note = (request: Request): void => void asked.push(request.url())
      page.on('request', note)
      await page.goBack()
      await page.locator('#entries a').first().waitFor()
      expect(await written(page), path).toEqual(byServer[path])
      expect(asked.filter((url) => /universal-search|\/(?:western|banned)\.data/.test(url))).toEqual([])
      page.off('request', note)
    }
  })
})
