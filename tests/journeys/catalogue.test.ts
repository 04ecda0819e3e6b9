import type { Page } from 'playwright'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import {
  holdRequests,
  restingScroll,
  rowNames,
  type VisitorOptions,
  waitForFirstRow,
  visitsOfFile,
} from '../harness/browser.ts'
import { aFullCatalogue, westernCount } from '../harness/catalogue.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })
const { visit: visitAs } = visitsOfFile(server)

beforeAll(async () => {
  await aFullCatalogue(server.app)
  await server.app.listing.catchUp()
})
afterEach(() => server.app.listing.expireAfter(Infinity))

const visit = (story: (page: Page) => Promise<void>, overrides: VisitorOptions = {}): Promise<void> =>
  visitAs(overrides, story)

const phone = { width: 375, height: 700 }
const query = (page: Page) => new URL(page.url()).search
const pathOf = (page: Page) => new URL(page.url()).pathname
const searchBox = (page: Page) => page.getByPlaceholder('Search by name...')
const entry = (page: Page, name: string) => page.getByRole('link', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })

const withEverything =
  'A work with everything: a name so long that it has to be broken over several lines on a narrow screen'
const asianNames = ['紅樓夢', '源氏物語', 'Ugetsu', 'ألف ليلة وليلة', 'Asian and banned']

async function expectRows(page: Page, names: string[]): Promise<void> {
  await expect.poll(() => rowNames(page)).toEqual(names)
}

async function expectRowCount(page: Page, count: number): Promise<void> {
  await expect.poll(async () => (await rowNames(page)).length).toBe(count)
}

/** Tabs on until the focus is on what is wanted. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  const target = page.locator(wanted).first()
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${wanted}.`)
}

test('A visitor chooses a region and a theme, which are remembered, filters with the keyboard alone, and searches every region at once', () =>
  visit(
    async (page) => {
      await page.goto('/')
      await heading(page, 'Choose Your Experience').waitFor()
      await page.getByRole('link', { name: /Enter the world of Asian content/ }).click()
      await page.waitForURL('**/asian')
      await waitForFirstRow(page, '紅樓夢')
      expect(await rowNames(page)).toEqual(asianNames)
      await expect.poll(() => page.evaluate(() => localStorage.getItem('region'))).toBe('asian')
      // Every shelf is one click away, with its count.
      const shelves = page.getByRole('banner').getByRole('navigation', { name: 'Shelves' })
      await expect
        .poll(() => shelves.getByRole('listitem').allInnerTexts())
        .toEqual(
          [/^Asian\s*5$/, /^Western\s*641$/, /^Banned\s*3$/, /^Unknown\s*1$/].map((text) =>
            expect.stringMatching(text),
          ),
        )
      expect(await shelves.locator('[aria-current]').allInnerTexts()).toEqual(['Asian'])
      await shelves.getByRole('link', { name: 'Banned' }).click()
      await page.waitForURL('**/banned')
      await expect.poll(() => shelves.locator('[aria-current]').allInnerTexts()).toEqual(['Banned'])
      await page.goBack()
      await waitForFirstRow(page, '紅樓夢')
      await page.getByRole('link', { name: /Switch to Western/ }).click()
      await page.waitForURL('**/western')
      await waitForFirstRow(page, withEverything)
      await expect.poll(() => page.evaluate(() => localStorage.getItem('region'))).toBe('western')

      // The first key leads past the header to the content.
      await page.goto('/western')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')

      await tabTo(page, 'button[name=dateFilter][value=today]')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/western?dateFilter=today')
      await expectRowCount(page, 5)
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

      const categories = page.locator('select[name=category]')
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

      // Escape closes the menu and changes nothing: the next change finds the filters as they were.
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Escape')
      await expect.poll(() => categories.inputValue()).toBe(chosen)
      await page.locator('select[name=month]').selectOption('02')
      await page.waitForURL(/month=02/)
      expect(new URL(page.url()).searchParams.get('category')).toBe(chosen)

      await page.goto('/banned')
      const newestFirst = ['Lady Chatterley', 'Asian and banned', 'Areopagitica']
      expect(await rowNames(page)).toEqual(newestFirst)
      await page.locator('select[name=sort]').selectOption('oldest')
      await page.waitForURL(/sort=oldest/)
      await expectRows(page, newestFirst.toReversed())

      // The theme is light at first, is switched and kept, and never flashes.
      const isLight = () => page.locator('body').evaluate((body) => body.classList.contains('light-mode'))
      await page.goto('/western')
      expect(await isLight()).toBe(true)
      expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
      await page.getByRole('button', { name: 'Dark theme' }).click()
      expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
      expect(await isLight()).toBe(false)

      // The class that each frame shows, from the very first on.
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
      await restingScroll(page)
      const frames = await page.evaluate(() => (window as unknown as { frames_seen: string[] }).frames_seen)
      expect(frames.length).toBeGreaterThan(0)
      expect(frames.filter((classes) => classes.includes('light-mode'))).toEqual([])
      expect(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed')).toBe('true')

      await searchBox(page).fill('紅樓')
      await page.waitForURL((url) => url.searchParams.get('search') === '紅樓')
      await expectRows(page, ['紅樓夢'])
      await expect.poll(() => page.title()).toBe('“紅樓” · Free Western Content · Daybook')
      await page.getByRole('link', { name: /紅樓夢/ }).click()
      await page.waitForURL('**/asian/hong-lou-meng')
      await heading(page, '紅樓夢').waitFor()

      await page.goto('/asian')
      await searchBox(page).fill('voinich manuscrit')
      await page.getByText('No Content Found').waitFor()
      await page.getByText("Try adjusting your search or filters to find what you're looking for.").waitFor()
      await heading(page, 'Nearest names').waitFor()
      await page.getByRole('link', { name: /Voynich manuscript/ }).click()
      await page.waitForURL('**/unknown/voynich-manuscript')

      // A search that a newer one has superseded is called off, and is never seen.
      await page.goto('/western')
      const held = await holdRequests(page, /universal-search\/search\?.*search=Western/)
      await searchBox(page).fill('Western')
      await held.arrived(1)
      const calledOff = page.waitForEvent('requestfailed', (request) => request.url().includes('search=Western'))
      await searchBox(page).fill('Ugetsu')
      await page.waitForURL(/search=Ugetsu/)
      await calledOff
      await expectRows(page, ['Ugetsu'])
      held.release()
      await page.unrouteAll({ behavior: 'wait' })
      expect(await rowNames(page)).toEqual(['Ugetsu'])

      await page.goto('/asian')
      await page.route('**/universal-search/search?*', (route) =>
        route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"x","message":"x"}' }),
      )
      await searchBox(page).fill('Ugetsu')
      await tryAgain(page).waitFor()
      await page.getByText(/Invalid server response|Invalid data received from API/).waitFor()
      expect(await rowNames(page)).toEqual(asianNames)
      await page.unrouteAll({ behavior: 'wait' })
      await tryAgain(page).click()
      await expectRows(page, ['Ugetsu'])
    },
    { expects: [/500|Invalid/] },
  ))

test('A visitor loads more until nothing remains, goes on from entry to entry and to a year, and comes back to the same place of the same list', () =>
  visit(async (page) => {
    await page.goto('/western?month=03')
    await entry(page, 'Western work 040').scrollIntoViewIfNeeded()
    const scrolled = await restingScroll(page)
    expect(scrolled).toBeGreaterThan(200)
    const place = await entry(page, 'Western work 040').boundingBox()
    await entry(page, 'Western work 040').click()
    await page.waitForURL('**/western/western-work-040')
    await heading(page, 'Western work 040').waitFor()
    await page.goBack()
    // The address has followed the place.
    await page.waitForURL('**/western?month=03&at=2024-03')
    await expect.poll(async () => Math.abs((await restingScroll(page)) - scrolled)).toBeLessThan(5)
    const again = await entry(page, 'Western work 040').boundingBox()
    expect(Math.abs((again?.y ?? 0) - (place?.y ?? 1_000))).toBeLessThan(5)
    await expect.poll(() => page.locator('select[name=month]').inputValue()).toBe('03')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Western work 040')

    await page.goto('/western')
    await expectRowCount(page, 300)
    const more = page.getByRole('button', { name: 'Load More Content' })
    // The rows that stand there are not rendered again.
    const [first, last] = [page.locator('#entries a').first(), page.locator('#entries a').last()]
    const accessStatus = [await first.elementHandle(), await last.elementHandle()]
    await more.click()
    await expectRowCount(page, 600)
    for (const row of accessStatus) expect(await row?.evaluate((element) => element.isConnected)).toBe(true)

    // Back leads to all that was loaded, and asks nobody.
    await entry(page, 'Western work 500').scrollIntoViewIfNeeded()
    await restingScroll(page)
    const topOfEntry = async () => (await entry(page, 'Western work 500').boundingBox())?.y ?? -1_000
    const far = await topOfEntry()
    await entry(page, 'Western work 500').click()
    await page.waitForURL('**/western/western-work-500')
    await heading(page, 'Western work 500').waitFor()
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/western')
    await expectRowCount(page, 600)
    // Heights above it are guessed until they are looked at: the place is that of the entry in the window.
    await restingScroll(page)
    await expect.poll(async () => Math.abs((await topOfEntry()) - far)).toBeLessThan(5)
    expect(requested.filter((path) => path === '/western.data' || path.startsWith('/universal-search'))).toEqual([])

    await more.click()
    await expectRowCount(page, westernCount + 1)
    await expect.poll(() => more.count()).toBe(0)
    const names = await rowNames(page)
    expect(new Set(names).size).toBe(names.length)
    expect(await page.locator('#entries a > b').count()).toBe(5)
    expect(await page.locator('#entries h2').first().textContent()).toBe('March 15, 2024')

    // j, k and the arrows move through the rows, from the first one in sight.
    await entry(page, 'Western work 100').evaluate((row) => row.scrollIntoView())
    await restingScroll(page)
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('span')?.textContent)
    await page.keyboard.press('j')
    const number = Number((await focused())?.slice(-3))
    expect(number).toBeGreaterThan(90)
    expect(number).toBeLessThanOrEqual(100)
    for (const key of ['j', 'j', 'ArrowDown', 'k', 'ArrowUp', 'j']) await page.keyboard.press(key)
    expect(await focused()).toBe(`Western work ${String(number + 2).padStart(3, '0')}`)

    // An entry leads on by keys in the very list that it was opened from, also behind its loaded rows.
    const isAt = (path: string) => expect.poll(() => pathOf(page)).toBe(path)
    await page.goto('/western?month=02')
    await waitForFirstRow(page, 'Western work 061')
    await entry(page, 'Western work 062').click()
    await heading(page, 'Western work 062').waitFor()
    await expect.poll(() => page.locator('a[rel=next]').getAttribute('href')).toBe('/western/western-work-063')
    await page.keyboard.press('ArrowRight')
    await isAt('/western/western-work-063')
    await heading(page, 'Western work 063').waitFor()
    await page.keyboard.press('ArrowLeft')
    await isAt('/western/western-work-062')
    await page.locator('a[rel=prev][href="/western/western-work-061"]').waitFor()
    await page.keyboard.press('ArrowLeft')
    await isAt('/western/western-work-061')
    await heading(page, 'Western work 061').waitFor()
    // The first of February in this list; in the whole one March stands before it.
    await page.locator('a[rel=prev]').waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('link', { name: 'Back to Western' }).click()
    await expect.poll(() => query(page)).toBe('?month=02')
    // Opened by its address it stands in its shelf.
    await page.goto('/western/western-work-061')
    expect(await page.locator('a[rel=prev]').getAttribute('href')).toBe('/western/western-work-060')

    await page.goto('/western')
    await waitForFirstRow(page, withEverything)
    await entry(page, 'Western work 299').click()
    await page.locator('a[rel=next][href="/western/western-work-300"]').waitFor()
    // The first row of a list that begins with a further page.
    await page.goto('/western?page=2')
    await waitForFirstRow(page, 'Western work 300')
    await entry(page, 'Western work 300').click()
    await page.locator('a[rel=prev][href="/western/western-work-299"]').waitFor()

    // A year and a month of the list, from where one reads on in both directions.
    const rail = page.getByRole('navigation', { name: 'Time' })
    const firstInSight = () =>
      page.evaluate(() => {
        const line = document.querySelector('.count')?.getBoundingClientRect().bottom ?? 0
        const rows = [...document.querySelectorAll('#entries .entries a')]
        return rows.find((row) => row.getBoundingClientRect().bottom > line + 8)?.querySelector('span')?.textContent
      })
    await page.goto('/western')
    await waitForFirstRow(page, withEverything)
    const years = rail.locator('> ol > li > a')
    await expect.poll(() => years.count()).toBeGreaterThan(1)
    const sum = (await years.locator('small').allTextContents()).reduce((all, text) => all + Number(text), 0)
    expect(sum).toBe(westernCount + 1)

    // A year is a link, and its months stand there once it is read.
    const oldest = years.last()
    const year = (await oldest.textContent())?.slice(0, 4) ?? ''
    await oldest.click()
    await page.waitForURL(`**/western?at=${year}`)
    await expect.poll(() => page.locator('.count-place').textContent()).toMatch(/^\d+ of \d+$/)
    await expect.poll(() => oldest.getAttribute('aria-current')).toBe('true')
    const month = rail.locator('ol ol a').last()
    await month.click()
    await page.waitForURL(new RegExp(`at=${year}-\\d\\d$`))
    await expect.poll(() => month.getAttribute('aria-current')).toBe('true')
    await restingScroll(page)
    const wanted = await firstInSight()
    expect(wanted).toBeTruthy()
    await page.reload()
    await expect.poll(firstInSight).toBe(wanted)

    // The address follows, and so does the number.
    await page.mouse.move(300, 500)
    await page.mouse.wheel(0, 700)
    await restingScroll(page)
    const read = await firstInSight()
    expect(read).not.toBe(wanted)
    // In the middle of the window, so that the click itself scrolls nothing.
    const [x = 0, y = 0] = await page.evaluate(() => {
      const rows = [...document.querySelectorAll('#entries .entries a')].map((row) => row.getBoundingClientRect())
      const below = rows.find(({ top }) => top > 300)
      return below === undefined ? [] : [below.left + 100, below.top + 12]
    })
    await page.mouse.click(x, y)
    await page.waitForURL((url) => url.pathname.startsWith('/western/'))
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await expect.poll(firstInSight).toBe(read)

    // The page before comes above, and moves nothing.
    const earlier = page.getByRole('button', { name: 'Previous page' })
    const count = (await rowNames(page)).length
    await earlier.click()
    await expect.poll(async () => (await rowNames(page)).length).toBeGreaterThan(count)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(2_000)
  }))

test('A visitor who loses the connection, or whose site is renewed meanwhile, keeps the page and goes on where they were', () =>
  visit(
    async (page) => {
      const context = page.context()
      await page.goto('/western')
      await page.waitForLoadState('networkidle')
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Load More Content' }).click()
      await page.getByText('You are offline.').waitFor()
      await searchBox(page).fill('Ugetsu')
      await page.waitForURL(/search=Ugetsu/)
      await page.getByText('You are offline.').waitFor()
      expect(await rowNames(page)).toHaveLength(300)
      await context.setOffline(false)
      await expectRows(page, ['Ugetsu'])
      await page.getByText('You are offline.').waitFor({ state: 'detached' })

      const wanted = entry(page, 'Western work 040')
      const notice = page.getByText('You are offline. This page stays as it is.')
      await page.goto('/western')
      await page.waitForLoadState('networkidle')
      // Neither the script of the entry's page has come so far, nor its data.
      await context.setOffline(true)
      await wanted.click()
      await notice.waitFor()
      expect(pathOf(page)).toBe('/western')
      expect(await rowNames(page)).toHaveLength(300)
      await page.getByRole('banner').getByRole('link', { name: 'Banned' }).click()
      await notice.waitFor()
      await wanted.press('Enter')
      await tryAgain(page).click()
      await notice.waitFor()
      await context.setOffline(false)
      await tryAgain(page).click()
      await page.waitForURL('**/western/western-work-040')
      await heading(page, 'Western work 040').waitFor()
      await notice.waitFor({ state: 'detached' })

      // The way back needs nobody; from there on only the data is wanting, and the server, not the network, is away.
      await context.setOffline(true)
      await page.getByRole('link', { name: /Back to Western/ }).click()
      await page.waitForURL((url) => url.pathname === '/western')
      await expectRowCount(page, 300)
      await context.setOffline(false)
      await page.route('**/*.data*', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
      await wanted.click()
      await page.getByText('The page could not be loaded. This one stays as it is.').waitFor()
      expect(await rowNames(page)).toHaveLength(300)
      await page.unrouteAll({ behavior: 'wait' })
      await tryAgain(page).click()
      await heading(page, 'Western work 040').waitFor()

      // Nothing may be shown, as when the database has been away for longer than memory may answer.
      server.app.listing.expireAfter(-1)
      expect((await page.goto('/western?search=ugetsu'))?.status()).toBe(503)
      await heading(page, 'Back in a moment').waitFor()
      await expectAccessible(page)
      server.app.listing.expireAfter(Infinity)
      await page.getByRole('link', { name: 'Try again' }).click()
      await expectRows(page, ['Ugetsu'])
      expect(query(page)).toBe('?search=ugetsu')
      // Within the site the open page stays.
      server.app.listing.expireAfter(-1)
      await page.locator('#entries').getByRole('link', { name: 'Ugetsu' }).click()
      await page.getByText('The page could not be loaded. This one stays as it is.').waitFor()
      expect(await rowNames(page)).toEqual(['Ugetsu'])
      server.app.listing.expireAfter(Infinity)
      await tryAgain(page).click()
      await heading(page, 'Ugetsu').waitFor()

      // The site was renewed: the server no longer has the script of the entry's page.
      await page.goto('/western')
      await page.waitForLoadState('networkidle')
      await page.route('**/assets/detail-*.js', (route) => route.fulfill({ status: 404, body: '' }), { times: 2 })
      await wanted.click()
      await page.waitForURL('**/western/western-work-040')
      await heading(page, 'Western work 040').waitFor()
      await page.unrouteAll({ behavior: 'wait' })

      // A click in a tab whose build has been replaced leads to the page of the new one.
      await page.goto('/asian')
      const documents: string[] = []
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
      })
      await entry(page, '源氏物語').click()
      await heading(page, '源氏物語').waitFor()
      await page.goBack()
      await expectRows(page, asianNames)
      expect(documents).toEqual([])
      await page.route('**/*.data*', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'x-build': 'another' } })
      })
      await entry(page, 'Ugetsu').click()
      await heading(page, 'Ugetsu').waitFor()
      expect(page.url()).toBe(`${server.url}/asian/ugetsu`)
      await expect.poll(() => documents).toEqual(['/asian/ugetsu'])
    },
    { expects: [/ERR_INTERNET_DISCONNECTED|50[23]|404/] },
  ))

test('A visitor without JavaScript filters with a form, follows links to more and to an entry, and is told what needs a script', () =>
  visit(
    async (page) => {
      await page.goto('/western')
      expect(await rowNames(page)).toHaveLength(300)
      await searchBox(page).fill('work 04')
      await page.locator('select[name=month]').selectOption('03')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(/search=/)
      expect(new URL(page.url()).searchParams.get('search')).toBe('work 04')
      expect(new URL(page.url()).searchParams.get('month')).toBe('03')
      const found = [4, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49]
      expect(await rowNames(page)).toEqual(found.map((number) => `Western work ${String(number).padStart(3, '0')}`))
      // A date button sends the rest of the form along.
      await page.getByRole('button', { name: '7 Days' }).click()
      await page.waitForURL(/dateFilter=7days/)
      expect(new URL(page.url()).searchParams.get('search')).toBe('work 04')

      await page.goto('/western')
      await page.locator('.listing-more a').click()
      await page.waitForURL(/page=/)
      expect(query(page)).toBe('?page=2')
      const second = await rowNames(page)
      expect(second[0]).toBe('Western work 300')
      expect(second).toHaveLength(300)
      await entry(page, 'Western work 300').click()
      await heading(page, 'Western work 300').waitFor()
      await page.getByRole('link', { name: /Download from Mega/ }).waitFor()
      await page.getByText('Show the benefits').click()
      await page.getByText('Instant access without waiting').waitFor()
      await page.getByRole('link', { name: /Back to Western/ }).click()
      await page.waitForURL((url) => url.pathname === '/western')

      // Forms that do not work without it are not offered.
      await page.goto('/login')
      await page.getByText('This form needs JavaScript. Please allow it for this site.').waitFor()
      expect(await page.locator('form').isVisible()).toBe(false)
      await page.goto('/plans')
      expect(await page.getByRole('button', { name: 'Get VIP Access' }).isVisible()).toBe(false)
      await page.getByText('please allow JavaScript').first().waitFor()
      await page.getByRole('link', { name: 'Access Free Content' }).waitFor()
      await page.getByRole('region', { name: 'Privacy Policy' }).getByRole('link').click()
      await heading(page, 'Privacy Policy').waitFor()
    },
    { hasScripts: false },
  ))

test('A visitor on a phone filters in a sheet, and reads the end of every long name', () =>
  visit(async (page) => {
    await page.goto('/western')
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('button', { name: 'Today' }).click()
    await page.waitForURL(/dateFilter=today/)
    await page.getByRole('button', { name: 'Show 5 entries' }).click()
    await expectRowCount(page, 5)
    await page.getByRole('button', { name: 'Today' }).waitFor({ state: 'hidden' })

    // The end of a long name is never cut, and the whole name stands in its title.
    const long = 'The History of England, from the Accession of James the Second to the Death of William the Third'
    await page.route('**/universal-search/search?*', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { data: string }
      const text = Buffer.from(body.data.slice(0, 2) + body.data.slice(3), 'base64').toString()
      const payload = JSON.parse(text) as { data: { name: string }[] }
      for (const [index, item] of payload.data.entries()) item.name = `${long} — Volume ${index + 1} — Macaulay`
      const packed = Buffer.from(JSON.stringify(payload)).toString('base64')
      await route.fulfill({ json: { ...body, data: `${packed.slice(0, 2)}D${packed.slice(2)}` } })
    })
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto('/western')
    await searchBox(page).fill('work')
    await waitForFirstRow(page, `${long} — Volume 1 — Macaulay`)
    for (const size of ['100%', '200%']) {
      await page.evaluate((value) => (document.documentElement.style.fontSize = value), size)
      const row = page.locator('#entries .entries a').nth(2)
      const end = row.locator('span > b')
      expect(await end.textContent()).toBe(' — Volume 3 — Macaulay')
      const measured = () =>
        end.evaluate((element) => {
          const { bottom, right } = element.getBoundingClientRect()
          const frame = element.closest('a')?.getBoundingClientRect()
          return {
            isWhole: element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth,
            isInside: frame !== undefined && bottom <= frame.bottom && right <= frame.right,
          }
        })
      await expect.poll(measured).toEqual({ isWhole: true, isInside: true })
      await row.hover()
      await expect.poll(() => row.getAttribute('title')).toBe(`${long} — Volume 3 — Macaulay`)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }, phone))

test('An address that cannot be decoded is a page that does not exist, one with foreign parameters is kept, and both come alive', () =>
  visit(
    async (page) => {
      /** Opens an address as it is written: Playwright's own `goto` would mend it. */
      const open = async (path: string): Promise<number | undefined> => {
        const [response] = await Promise.all([
          page.waitForResponse((each) => each.request().isNavigationRequest()),
          page.goto(server.url + path),
        ])
        // Only a page that its scripts have taken over can switch the theme.
        const theme = page.getByRole('button', { name: 'Dark theme' })
        const isDark = await theme.getAttribute('aria-pressed')
        await theme.click()
        await expect.poll(() => theme.getAttribute('aria-pressed')).not.toBe(isDark)
        return response.status()
      }
      const isNowhere = () => heading(page, 'There is no such page').waitFor()

      expect(await open('/asian/%/more?search=%E0#%E0')).toBe(404)
      expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['There is no such page'])
      expect((await page.reload())?.status()).toBe(404)
      await isNowhere()
      await page.getByRole('link', { name: 'Open the catalogue' }).click()
      await page.waitForURL('**/western')
      await page.goBack()
      await isNowhere()
      await page.locator('main a[href="/"]').first().click()
      await page.waitForURL(`${server.url}/`)
      await heading(page, 'Choose Your Experience').waitFor()

      // If only the query or the fragment is unreadable, the page is the page.
      expect(await open('/asian?month=%E0%A4&utm_source=%ff#%ff')).toBe(200)
      await expectRows(page, asianNames)

      const address = '/asian?utm_source=mail&month=12&fbclid=x&search='
      expect(await open(address)).toBe(200)
      expect(page.url()).toBe(server.url + address)
      expect(await rowNames(page)).toEqual(['ألف ليلة وليلة'])
      await page.locator('select[name=month]').selectOption('03')
      await page.waitForURL('**/asian?month=03')
      await expectRows(page, ['紅樓夢', '源氏物語', 'Ugetsu'])
      await page.goBack()
      await expectRows(page, ['ألف ليلة وليلة'])
    },
    { expects: [/404/] },
  ))
