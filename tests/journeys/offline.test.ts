import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { rowNames, visitsOfFile } from '../harness/browser.ts'
import { someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile()
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(
    server.app,
    ['Emma', 'Faust'].map((name) => ({ name, postDate: '2024-02-09' })),
  )
})

const keptIn = (page: Page, cache: string) =>
  page.evaluate(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname), cache)

test('A visitor who loses the connection reads on in what they have read, and learns which pages these are', () =>
  visit(
    { worksOffline: true, expects: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/] },
    async (page) => {
      await page.goto('/western')
      // The service worker is there, and the page that was looked at is kept whole.
      await expect.poll(() => keptIn(page, 'daybook-read'), { timeout: 30_000 }).toEqual(['/western'])
      await page.goto('/western/emma')
      await page.goto('/login')
      await expect.poll(() => keptIn(page, 'daybook-read')).toEqual(['/western', '/western/emma'])

      await page.context().setOffline(true)
      await page.goto('/western')
      expect(await rowNames(page)).toEqual(['Faust', 'Emma'])
      // An entry whose page is kept is opened whole; one that is not leaves the list as it is.
      await page.locator('#entries').getByRole('link', { name: 'Faust' }).click()
      await page.getByText('You are offline. This page stays as it is.').waitFor()
      await page.locator('#entries').getByRole('link', { name: 'Emma' }).click()
      await page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor()

      // Neither a page of accounts nor one that was never read.
      await page.goto('/login')
      await page.getByRole('heading', { level: 1, name: 'The site cannot be reached' }).waitFor()
      expect(page.url()).toBe(`${server.url}/offline#/login`)
      const read = page.getByRole('region', { name: 'Read lately' }).getByRole('link')
      await expect.poll(() => read.allInnerTexts()).toEqual(['Emma', 'Free Western Content'])
      await expectAccessible(page)

      await page.context().setOffline(false)
      await page.getByRole('link', { name: 'Try again' }).click()
      await page.getByRole('heading', { level: 1, name: 'Welcome Back' }).waitFor()
    },
  ))
