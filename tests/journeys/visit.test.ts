import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visitAs, openBrowser, rowNames, type VisitorWish, waitForFirstRow } from '../harness/browser.ts'
import { aFullCatalogue, westernCount } from '../harness/catalogue.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  await aFullCatalogue(server.app)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const visit = (story: (page: Page) => Promise<void>, wish: VisitorWish = {}): Promise<void> =>
  visitAs(browser, server.url, wish, story)

const query = (page: Page) => new URL(page.url()).search

/** Tabs on until the focus is on what is wanted. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (
      await page
        .locator(wanted)
        .first()
        .evaluate((element) => element === document.activeElement)
    )
      return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${wanted}.`)
}

describe('a visitor', () => {
  test('chooses a region, which is remembered', () =>
    visit(async (page) => {
      await page.goto('/')
      await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      await page.getByRole('link', { name: /Enter the world of Asian content/ }).click()
      await page.waitForURL('**/asian')
      await waitForFirstRow(page, '紅樓夢')
      expect(await rowNames(page)).toEqual(['紅樓夢', '源氏物語', 'Ugetsu', 'ألف ليلة وليلة', 'Asian and banned'])
      expect(await page.evaluate(() => localStorage.getItem('region'))).toBe('asian')
      await page.getByRole('link', { name: /Switch to Western/ }).click()
      await page.waitForURL('**/western')
      await waitForFirstRow(
        page,
        'A work with everything: a name so long that it has to be broken over several lines on a narrow screen',
      )
      expect(await page.evaluate(() => localStorage.getItem('region'))).toBe('western')
    }))

  test('filters by date, month and category with the keyboard alone', () =>
    visit(async (page) => {
      await page.goto('/western')
      await tabTo(page, 'button[name=dateFilter][value=today]')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/western?dateFilter=today')
      await expect.poll(() => rowNames(page)).toHaveLength(5)
      expect(await page.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed')).toBe('true')

      await tabTo(page, 'button[name=dateFilter][value=""]:not([type=button])')
      await page.keyboard.press('Space')
      await page.waitForURL((url) => url.search === '')

      // January is the first option after 'All Months'.
      await tabTo(page, 'select[name=month]')
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/western?month=01')
      await waitForFirstRow(page, 'Western work 177')
      for (const day of await page.locator('#entries h2').allTextContents()) expect(day).toMatch(/^January /)

      await tabTo(page, 'select[name=category]')
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(/category=/)
      const chosen = new URL(page.url()).searchParams.get('category') ?? ''
      expect(chosen).not.toBe('')
      await expect
        .poll(async () => new Set(await page.locator('#entries small').allTextContents()))
        .toEqual(new Set([chosen]))

      // Escape closes the menu and changes nothing.
      const before = page.url()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Escape')
      await page.waitForTimeout(500)
      expect(page.url()).toBe(before)
    }))

  test('searches in Chinese from the western page, and finds the asian work', () =>
    visit(async (page) => {
      await page.goto('/western')
      await page.getByPlaceholder('Search by name...').fill('紅樓')
      await page.waitForURL((url) => url.searchParams.get('search') === '紅樓')
      await expect.poll(() => rowNames(page)).toEqual(['紅樓夢'])
      await page.getByRole('link', { name: /紅樓夢/ }).click()
      await page.waitForURL('**/asian/hong-lou-meng')
      await page.getByRole('heading', { name: '紅樓夢' }).waitFor()
    }))

  test('is offered the nearest names when nothing matches, marked as such', () =>
    visit(async (page) => {
      await page.goto('/asian')
      await page.getByPlaceholder('Search by name...').fill('voinich manuscrit')
      await page.getByText('No Content Found').waitFor()
      await page.getByText("Try adjusting your search or filters to find what you're looking for.").waitFor()
      await page.getByRole('heading', { name: 'Nearest names' }).waitFor()
      await page.getByRole('link', { name: /Voynich manuscript/ }).click()
      await page.waitForURL('**/unknown/voynich-manuscript')
    }))

  test('loads more until nothing remains, and sees every entry once', () =>
    visit(async (page) => {
      await page.goto('/western')
      expect(await rowNames(page)).toHaveLength(300)
      const more = page.getByRole('button', { name: 'Load More Content' })
      await more.click()
      await expect.poll(async () => (await rowNames(page)).length).toBe(600)
      await more.click()
      await expect.poll(async () => (await rowNames(page)).length).toBe(westernCount + 1)
      await expect.poll(() => more.count()).toBe(0)
      const names = await rowNames(page)
      expect(new Set(names).size).toBe(names.length)
      expect(await page.locator('#entries a > b').count()).toBe(5)
      expect(await page.locator('#entries h2').first().textContent()).toBe('March 15, 2024')
    }))

  test('opens an entry and comes back to the same list, at the same place, on the same entry', () =>
    visit(async (page) => {
      await page.goto('/western?month=03')
      await page.getByRole('link', { name: 'Western work 040' }).scrollIntoViewIfNeeded()
      await page.waitForTimeout(500)
      const scrolled = await page.evaluate(() => scrollY)
      expect(scrolled).toBeGreaterThan(200)
      const place = await page.getByRole('link', { name: 'Western work 040' }).boundingBox()
      await page.getByRole('link', { name: 'Western work 040' }).click()
      await page.waitForURL('**/western/western-work-040')
      await page.getByRole('heading', { name: 'Western work 040' }).waitFor()
      await page.goBack()
      await page.waitForURL('**/western?month=03')
      await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(5)
      const again = await page.getByRole('link', { name: 'Western work 040' }).boundingBox()
      expect(Math.abs((again?.y ?? 0) - (place?.y ?? 1_000))).toBeLessThan(5)
      expect(await page.locator('select[name=month]').inputValue()).toBe('03')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Western work 040')
    }))

  test('comes back to all that was loaded, also to the second page', () =>
    visit(async (page) => {
      await page.goto('/western')
      await page.getByRole('button', { name: 'Load More Content' }).click()
      await expect.poll(async () => (await rowNames(page)).length).toBe(600)
      const late = page.getByRole('link', { name: 'Western work 500' })
      await late.scrollIntoViewIfNeeded()
      await page.waitForTimeout(500)
      const scrolled = await page.evaluate(() => scrollY)
      await late.click()
      await page.waitForURL('**/western/western-work-500')
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goBack()
      await page.waitForURL((url) => url.pathname === '/western')
      await expect.poll(async () => (await rowNames(page)).length).toBe(600)
      await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(5)
      expect(asked.filter((path) => path === '/western.data' || path.startsWith('/universal-search'))).toEqual([])
    }))

  test('keeps the list without a connection, is told so, and it goes on when the connection is back', () =>
    visit(async (page) => {
      await page.goto('/western')
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Load More Content' }).click()
      await page.getByText('You are offline.').waitFor()
      await page.getByPlaceholder('Search by name...').fill('Ugetsu')
      await page.waitForURL(/search=Ugetsu/)
      await page.getByText('You are offline.').waitFor()
      expect(await rowNames(page)).toHaveLength(300)
      await page.context().setOffline(false)
      await expect.poll(() => rowNames(page)).toEqual(['Ugetsu'])
      expect(await page.getByText('You are offline.').count()).toBe(0)
    }))

  test('never sees an answer that a newer question has overtaken', () =>
    visit(async (page) => {
      await page.goto('/western')
      await page.route('**/universal-search/search?*', async (route) => {
        if (route.request().url().includes('search=Western')) await new Promise((wake) => setTimeout(wake, 2_000))
        await route.continue().catch(() => undefined)
      })
      const box = page.getByPlaceholder('Search by name...')
      await box.fill('Western')
      await page.waitForURL(/search=Western/)
      await box.fill('Ugetsu')
      await page.waitForURL(/search=Ugetsu/)
      await expect.poll(() => rowNames(page)).toEqual(['Ugetsu'])
      await page.waitForTimeout(2_500)
      expect(await rowNames(page)).toEqual(['Ugetsu'])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }))

  test('keeps the list when a search fails, is told so, and can try again', () =>
    visit(
      async (page) => {
        await page.goto('/asian')
        const before = await rowNames(page)
        await page.route('**/universal-search/search?*', (route) =>
          route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"x","message":"x"}' }),
        )
        await page.getByPlaceholder('Search by name...').fill('Ugetsu')
        await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 20_000 })
        await page.getByText(/Invalid server response|Invalid data received from API/).waitFor()
        expect(await rowNames(page)).toEqual(before)
        await page.unrouteAll({ behavior: 'wait' })
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect.poll(() => rowNames(page)).toEqual(['Ugetsu'])
      },
      { expects: [/500|Invalid/] },
    ))

  test('sorts the banned works, and finds only them there', () =>
    visit(async (page) => {
      await page.goto('/banned')
      const newestFirst = ['Lady Chatterley', 'Asian and banned', 'Areopagitica']
      expect(await rowNames(page)).toEqual(newestFirst)
      await page.locator('select[name=sort]').selectOption('oldest')
      await page.waitForURL(/sort=oldest/)
      await waitForFirstRow(page, 'Areopagitica')
      expect(await rowNames(page)).toEqual(newestFirst.reverse())
    }))
})

describe('the theme', () => {
  test('is light at first, is switched and kept, and never flashes', () =>
    visit(async (page) => {
      await page.goto('/western')
      expect(await page.locator('body').getAttribute('class')).toContain('light-mode')
      expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
      await page.getByRole('button', { name: 'Dark theme' }).click()
      expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
      expect(await page.locator('body').getAttribute('class')).not.toContain('light-mode')

      // What each frame shows from the very first on.
      await page.addInitScript(() => {
        const frames: string[] = []
        Object.assign(window, { frames_seen: frames })
        const look = (): void => {
          if (document.body !== null) frames.push(document.body.className)
          requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      })
      await page.reload()
      await page.getByRole('button', { name: 'Dark theme' }).waitFor()
      await page.waitForTimeout(500)
      const frames = await page.evaluate(() => (window as unknown as { frames_seen: string[] }).frames_seen)
      expect(frames.length).toBeGreaterThan(0)
      expect(frames.filter((classes) => classes.includes('light-mode'))).toEqual([])
      expect(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed')).toBe('true')
    }))
})

describe('without JavaScript', () => {
  test('filters are a form, Load More is a link, and an entry opens', () =>
    visit(
      async (page) => {
        await page.goto('/western')
        expect(await rowNames(page)).toHaveLength(300)
        await page.getByPlaceholder('Search by name...').fill('work 04')
        await page.locator('select[name=month]').selectOption('03')
        await page.getByRole('button', { name: 'Apply' }).click()
        expect(new URL(page.url()).searchParams.get('search')).toBe('work 04')
        expect(new URL(page.url()).searchParams.get('month')).toBe('03')
        const found = [4, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49]
        expect(await rowNames(page)).toEqual(found.map((number) => `Western work ${String(number).padStart(3, '0')}`))
        // A date button sends the rest of the form along.
        await page.getByRole('button', { name: '7 Days' }).click()
        expect(new URL(page.url()).searchParams.get('dateFilter')).toBe('7days')
        expect(new URL(page.url()).searchParams.get('search')).toBe('work 04')

        await page.goto('/western')
        await page.locator('.listing-more a').click()
        expect(query(page)).toBe('?page=2')
        const second = await rowNames(page)
        expect(second[0]).toBe('Western work 300')
        expect(second).toHaveLength(300)

        await page.getByRole('link', { name: 'Western work 300' }).click()
        await page.getByRole('heading', { name: 'Western work 300' }).waitFor()
        await page.getByRole('link', { name: /Download from Mega/ }).waitFor()
        await page.getByText('Show the benefits').click()
        await page.getByText('Instant access without ads').waitFor()
        await page.getByRole('link', { name: /Back to Western/ }).click()
        expect(new URL(page.url()).pathname).toBe('/western')
      },
      { hasScripts: false },
    ))
})

describe('on a phone', () => {
  const phone = { width: 375, height: 700 }

  test('the menu opens, and is closed by Escape, by a link and by the back button', () =>
    visit(async (page) => {
      await page.goto('/western')
      const menu = page.getByRole('dialog', { name: 'Menu' })
      const open = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Menu', exact: true }).click()
        await menu.waitFor()
      }
      await open()
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
      expect(new URL(page.url()).pathname).toBe('/western')

      await open()
      await page.goBack()
      await menu.waitFor({ state: 'hidden' })
      expect(new URL(page.url()).pathname).toBe('/western')

      await open()
      await menu.getByRole('link', { name: 'Banned' }).click()
      await page.waitForURL('**/banned')
      await menu.waitFor({ state: 'hidden' })
      await page.goBack()
      await page.waitForURL('**/western')
      expect(await menu.isVisible()).toBe(false)
    }, phone))

  test('the filters are in a sheet, and work there', () =>
    visit(async (page) => {
      await page.goto('/western')
      await page.getByRole('button', { name: 'Filters', exact: true }).click()
      await page.getByRole('button', { name: 'Today' }).click()
      await page.waitForURL(/dateFilter=today/)
      await page.getByRole('button', { name: 'Show 5 entries' }).click()
      await expect.poll(() => rowNames(page)).toHaveLength(5)
      expect(await page.getByRole('button', { name: 'Today' }).isVisible()).toBe(false)
    }, phone))
})

describe('an address that leads nowhere', () => {
  test('gives a designed page with a way back', () =>
    visit(
      async (page) => {
        const response = await page.goto('/no/such/page')
        expect(response?.status()).toBe(404)
        await page.locator('main a[href="/"]').first().click()
        await page.waitForURL(`${server.url}/`)
        await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      },
      { expects: [/404/] },
    ))
})
