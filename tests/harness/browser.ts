import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright'
import { expect } from 'vitest'

/** The system's Chromium; `npm test` finds or installs one and says where it is. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}

export interface VisitorWish {
  width?: number
  height?: number
  hasScripts?: boolean
  theme?: 'light' | 'dark'
  /** Console errors that belong to the story, for example the browser's own word about a page that is not there. */
  expects?: RegExp[]
}

export interface Visitor {
  page: Page
  /** Closes the browser window; fails if the page complained, or called anybody but the site. */
  leave(): Promise<void>
}

/** A person with a browser of his own, who has never been here before. */
export async function aVisitor(browser: Browser, baseURL: string, wish: VisitorWish = {}): Promise<Visitor> {
  const { width = 1280, height = 800, hasScripts = true, theme, expects = [] } = wish
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height },
    javaScriptEnabled: hasScripts,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(30_000)
  const complaints: string[] = []
  const complain = (text: string): void => {
    if (!expects.some((expected) => expected.test(text))) complaints.push(text)
  }
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complain(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complain(`script: ${error.message}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== baseURL && url.protocol !== 'data:' && url.protocol !== 'about:')
      complain(`call to ${request.url()}`)
  })
  context.on('requestfailed', (request) => {
    // A question that a newer one has overtaken is called off.
    const reason = request.failure()?.errorText ?? ''
    const isCalledOff = reason === 'net::ERR_ABORTED'
    // Without JavaScript the browser refuses the page's scripts, as it should.
    const isScript = !hasScripts && reason === 'csp' && request.url().endsWith('.js')
    if (!isCalledOff && !isScript) complain(`call failed: ${request.url()} (${reason})`)
  })
  if (theme !== undefined) {
    await page.goto('/favicon.svg')
    await page.evaluate((value) => localStorage.setItem('theme', value), theme)
  }
  return {
    page,
    async leave() {
      await context.close()
      expect(complaints).toEqual([])
    },
  }
}

/** Tells a story with a visitor of its own; also fails if the page complained on the way, or called a stranger. */
export async function visitAs(
  browser: Browser,
  baseURL: string,
  wish: VisitorWish,
  story: (page: Page) => Promise<void>,
): Promise<void> {
  const visitor = await aVisitor(browser, baseURL, wish)
  try {
    await story(visitor.page)
  } catch (error) {
    // What went wrong in the story is the news, not what followed from it.
    await visitor.page.context().close()
    throw error
  }
  await visitor.leave()
}

/** Fails with every violation of WCAG 2.2 AA that axe finds on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`,
  )
  expect(found, page.url()).toEqual([])
}

/** The names of the rows that a list shows, from the top. */
export async function rowNames(page: Page): Promise<string[]> {
  return page.locator('#entries .entries a > span').allTextContents()
}

/** Waits until the first row of the list is this one. */
export async function waitForFirstRow(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await rowNames(page))[0]).toBe(name)
}
