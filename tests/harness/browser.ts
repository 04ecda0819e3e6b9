import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright'
import { afterAll, beforeAll, expect } from 'vitest'

/**
 * The system's Chromium; `npm test` finds or installs one and says where it is.
 * @param hosts names that lead to an address of this machine, such as `files.example` to `127.0.0.1:4000`
 */
export function openBrowser(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`)
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(',')}`]),
    ],
  })
}

export interface VisitorOptions {
  width?: number
  height?: number
  hasScripts?: boolean
  theme?: 'light' | 'dark'
  /** Console errors that belong to the story, for example the browser's own word about a page that is not there. */
  expects?: RegExp[]
  /** With this instant the browser's date stands still at it; its timers run. */
  now?: string
  /** Whether its browser may keep pages for times without a connection. */
  worksOffline?: boolean
  /** The storage of a closed browser. */
  storageState?: Awaited<ReturnType<BrowserContext['storageState']>>
}

export interface Visitor {
  page: Page
  /** The last calls of the page, its content and its complaints, for the message of a failed test. */
  describe(): Promise<string>
  /** Closes the browser window; fails if a page complained, or called anybody but the site. */
  leave(): Promise<void>
}

/** A person with a browser of their own, who has never been here before. */
async function aVisitor(browser: Browser, baseURL: string, overrides: VisitorOptions = {}): Promise<Visitor> {
  const {
    width = 1280,
    height = 800,
    hasScripts = true,
    theme,
    expects = [],
    now,
    storageState,
    worksOffline,
  } = overrides
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height },
    javaScriptEnabled: hasScripts,
    reducedMotion: 'reduce',
    ...(storageState === undefined ? {} : { storageState }),
  })
  context.setDefaultTimeout(60_000)
  if (now !== undefined) await context.clock.setFixedTime(now)
  if (!worksOffline) await context.addInitScript(withoutServiceWorker)
  const complaints: string[] = []
  const complain = (text: string): void => {
    if (!expects.some((expected) => expected.test(text))) complaints.push(text)
  }
  // For every tab, also one that a page has opened.
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complain(`console: ${message.text()}`)
  })
  // Also of what a script has caught.
  await context.exposeFunction('tellViolation', (text: string) => complain(`refused by the page's policy: ${text}`))
  await context.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, sample, sourceFile, lineNumber }) => {
        const { tellViolation } = window as unknown as { tellViolation: (text: string) => void }
        tellViolation(`${effectiveDirective} ${blockedURI} ${sample} (${sourceFile}:${lineNumber})`)
      },
    )
  })
  const calls: string[] = []
  context.on('response', (response) => {
    const request = response.request()
    if (request.resourceType() === 'fetch') calls.push(`${response.status()} ${request.method()} ${request.url()}`)
  })
  context.on('weberror', (error) => complain(`script: ${error.error().message}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    const isOfPage = url.protocol === 'data:' || url.protocol === 'about:' || url.protocol === 'blob:'
    if (url.origin !== baseURL && !isOfPage) complain(`call to ${request.url()}`)
  })
  context.on('requestfailed', (request) => {
    // A request that a newer one has superseded is called off.
    const reason = request.failure()?.errorText ?? ''
    const isCalledOff = reason === 'net::ERR_ABORTED'
    // Without JavaScript the browser refuses the page's scripts, as it should.
    const isScript = !hasScripts && reason === 'csp' && request.url().endsWith('.js')
    if (!isCalledOff && !isScript) complain(`call failed: ${request.url()} (${reason})`)
  })
  if (hasScripts) {
    context.on('page', waitUntilAlive)
    tellPagesOfConnection(context)
  }
  const page = await context.newPage()
  if (theme !== undefined) {
    await page.goto('/favicon.svg')
    await page.evaluate((value) => localStorage.setItem('theme', value), theme)
  }
  return {
    page,
    async describe() {
      const text = await page.evaluate(() => document.body.innerText.slice(0, 2_000)).catch(String)
      return [`At ${page.url()}, after`, ...calls.slice(-8), 'stood:', text, ...complaints].join('\n')
    },
    async leave() {
      await context.close()
      if (complaints.length > 0) throw new Error(`A page complained:\n${complaints.join('\n')}`)
    },
  }
}

/** It would answer in the place of the server that a test looks at. */
function withoutServiceWorker(): void {
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
}

/**
 * A page comes from the server and is taken over by its scripts a moment later; what is clicked or typed before that may
 * be lost. From now on `goto` and `reload` end when the page is alive.
 */
function waitUntilAlive(page: Page): void {
  // The server writes this color; an effect of the outermost component replaces it.
  const isAlive = (): boolean =>
    document.contentType !== 'text/html' ||
    document.querySelector('meta[name="theme-color"]')?.getAttribute('content') !== '#f8f4ec'
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (...options) => {
    const response = await goto(...options)
    await page.waitForFunction(isAlive)
    return response
  }
  page.reload = async (...options) => {
    const response = await reload(...options)
    await page.waitForFunction(isAlive)
    return response
  }
}

/** From now on `setOffline` ends when every page of the browser knows of it: a click may come before the news. */
function tellPagesOfConnection(context: BrowserContext): void {
  const setOffline = context.setOffline.bind(context)
  context.setOffline = async (isOffline) => {
    await setOffline(isOffline)
    for (const page of context.pages()) await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(!isOffline)
  }
}

/** Tells a story with a visitor of its own; also fails if a page complained on the way, or called a stranger. */
export async function visitAs(
  browser: Browser,
  baseURL: string,
  overrides: VisitorOptions,
  story: (page: Page) => Promise<void>,
): Promise<void> {
  const visitor = await aVisitor(browser, baseURL, overrides)
  try {
    await story(visitor.page)
  } catch (error) {
    // The failure of the story is the news; the content of the page and its complaints help to read it.
    const seen = await visitor.describe()
    await visitor.page.context().close()
    if (error instanceof Error) error.message += `\n${seen}`
    throw error
  }
  await visitor.leave()
}

/** A browser of the test file, whose visitors come to this server, or to the address of another `site`. */
export function visitsOfFile(server: { readonly url: string }): {
  visit(overrides: VisitorOptions & { site?: string }, story: (page: Page) => Promise<void>): Promise<void>
  visitor(overrides: VisitorOptions): Promise<Visitor>
} {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  return {
    visit: ({ site = server.url, ...overrides }, story) => visitAs(browser, site, overrides, story),
    visitor: (overrides) => aVisitor(browser, server.url, overrides),
  }
}

/** Requests that are held before the server until the test lets them go on. */
export interface HeldRequests {
  /** How many came in all. */
  count(): number
  /** Resolves when this many have come. */
  arrived(count: number): Promise<void>
  /** Lets all go on, those that come later too, or answers them in the server's place. */
  release(answer?: Parameters<Route['fulfill']>[0]): void
}

/** Holds the requests to an address, so that what a page shows meanwhile can be looked at for as long as that takes. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<HeldRequests> {
  let count = 0
  const released = Promise.withResolvers<Parameters<Route['fulfill']>[0]>()
  await page.route(address, async (route) => {
    count += 1
    const answer = await released.promise
    // The page may have called it off.
    await (answer === undefined ? route.continue() : route.fulfill(answer)).catch(() => undefined)
  })
  return {
    count: () => count,
    arrived: (wanted) => expect.poll(() => count).toBe(wanted),
    release: (answer) => released.resolve(answer),
  }
}

/**
 * Stops the timers of a page whose date stands still: a sentence that stands for a while stands until the test has looked
 * at it. `page.clock.runFor` moves them on, `page.clock.resume` lets them run again.
 * @param now the instant at which the date stands
 */
export async function stopTimers(page: Page, now: string): Promise<void> {
  // Time that was run through before would lie behind this instant.
  await page.clock.setFixedTime(now)
  await page.clock.pauseAt(now)
}

/** How far the page has been scrolled, once it stands still. */
export function restingScroll(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let [last, frames] = [-1, 0]
        const look = (): void => {
          frames = scrollY === last ? frames + 1 : 0
          last = scrollY
          if (frames === 10) resolve(scrollY)
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
}

/** The names of the rows that a list shows, from the top. */
export async function rowNames(page: Page): Promise<string[]> {
  return page.locator('#entries .entries a > span').allTextContents()
}

/** Waits until the first row of the list is this one. */
export async function waitForFirstRow(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await rowNames(page))[0]).toBe(name)
}
