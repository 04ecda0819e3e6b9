import { type Browser, chromium, type Page } from 'playwright'

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** The longest task of a page's main thread. A browser tells of tasks from 50 ms on; of none: 0. */
export interface LongTasks {
  /** Forgets what was until now. */
  begin(): Promise<void>
  longestMs(): Promise<number>
}

/** Watches every document that the page opens from here on. */
export async function watchLongTasks(page: Page): Promise<LongTasks> {
  await page.addInitScript(() => {
    const seen = { longest: 0 }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.longest = Math.max(seen.longest, entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  return {
    begin: () =>
      page.evaluate(() => {
        ;(globalThis as unknown as { seen: { longest: number } }).seen.longest = 0
      }),
    longestMs: () => page.evaluate(() => (globalThis as unknown as { seen: { longest: number } }).seen.longest),
  }
}
