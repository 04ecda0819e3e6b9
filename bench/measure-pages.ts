import { chromium } from 'playwright'
import { againstBare } from './against-bare.ts'
import { type Effort, type Finding, kilobytes, ms } from './findings.ts'
import { compressed, load, median, request } from './load.ts'
import { ask, cpuMs, startDaybook } from './processes.ts'

/** P8: a listing of 300 rows as a page. */
export async function measurePages(address: string, effort: Effort): Promise<Finding[]> {
  const kept = await startDaybook({ DATABASE_URL: address })
  const computed = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
  try {
    const path = '/asian'
    const plain = await ask(kept.port, path)
    const small = await ask(kept.port, path, compressed)
    const { share, told } = await againstBare(kept, [path], compressed, effort)

    // One after another and plain: the processor time is that of the page alone.
    const pages = Array.from({ length: 20 }, (_, i) => request(`/asian?page=${i + 1}`))
    await load(computed.port, pages, { count: 400, connections: 1 })
    const count = 200
    const before = cpuMs(computed.pid)
    await load(computed.port, pages, { count, connections: 1 })
    const cpu = (cpuMs(computed.pid) - before) / count
    const firstBytes: number[] = []
    for (let i = 0; i < 60; i += 1)
      firstBytes.push((await ask(computed.port, `/asian?page=${(i % 20) + 1}`)).firstByteMs)
    const firstByte = median(firstBytes)
    return [
      {
        id: 'P8',
        what: 'Listing of 300 rows as a page: processor time and first byte when computed',
        goal: 'at most 2.5 ms; at most 5 ms',
        measured: `${ms(cpu)}; ${ms(firstByte)}`,
        isMet: cpu <= 2.5 && firstByte <= 5,
      },
      { id: 'P8', what: 'The same, kept', goal: 'at least 80 % of bare', measured: told, isMet: share >= 0.8 },
      {
        id: 'P8',
        what: 'Its size with all that hydration needs, raw and compressed',
        goal: 'at most 150 kB; at most 28 kB',
        measured: `${kilobytes(plain.body.length)}; ${kilobytes(small.body.length)}`,
        isMet: plain.body.length <= 150_000 && small.body.length <= 28_000,
      },
    ]
  } finally {
    await kept.stop()
    await computed.stop()
  }
}

/** P12: the same page in a browser, as a mid-range phone on slow 4G would have it. */
export async function measureBrowser(address: string): Promise<Finding[]> {
  const server = await startDaybook({ DATABASE_URL: address })
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const paints: number[] = []
  const shifts: number[] = []
  const interactions: number[] = []
  let scriptBytes = 0
  try {
    const url = `http://127.0.0.1:${server.port}/asian`
    for (let round = 0; round < 3; round += 1) {
      const context = await browser.newContext({
        viewport: { width: 412, height: 915 },
        isMobile: true,
        hasTouch: true,
      })
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: (1.6 * 1024 * 1024) / 8,
        uploadThroughput: (750 * 1024) / 8,
      })
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      const scripts = new Set<string>()
      page.on('response', (response) => {
        if (response.request().resourceType() === 'script') scripts.add(response.url())
      })
      await page.addInitScript(() => {
        const seen = { paint: 0, shift: 0, interaction: 0 }
        Object.assign(globalThis, { seen })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.paint = entry.startTime
        }).observe({ type: 'largest-contentful-paint', buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
            if (!entry.hadRecentInput) seen.shift += entry.value
          }
        }).observe({ type: 'layout-shift', buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.interaction = Math.max(seen.interaction, entry.duration)
        }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
      })
      await page.goto(url, { waitUntil: 'networkidle' })
      await page.waitForTimeout(500)
      const seen = () =>
        page.evaluate(
          () => (globalThis as unknown as { seen: { paint: number; shift: number; interaction: number } }).seen,
        )
      const { paint, shift } = await seen()
      await page.getByRole('searchbox').first().click()
      await page.keyboard.type('river')
      await page.waitForTimeout(1_500)
      const { interaction } = await seen()
      paints.push(paint)
      shifts.push(shift)
      interactions.push(interaction)
      scriptBytes = 0
      for (const script of scripts)
        scriptBytes += (await ask(server.port, new URL(script).pathname, compressed)).body.length
      await context.close()
    }
  } finally {
    await browser.close()
    await server.stop()
  }
  return [
    {
      id: 'P12',
      what: 'Listing of 300 in a browser, processor 4 times slower, slow 4G: largest paint, interaction, layout shift',
      goal: 'at most 1.5 s; at most 100 ms; none',
      measured: `${(median(paints) / 1000).toFixed(2)} s; ${ms(median(interactions))}; ${median(shifts).toFixed(3)}`,
      isMet: median(paints) <= 1_500 && median(interactions) <= 100 && median(shifts) < 0.001,
    },
    {
      id: 'P12',
      what: 'Its scripts, compressed',
      goal: 'at most 110 kB',
      measured: kilobytes(scriptBytes),
      isMet: scriptBytes <= 110_000,
    },
  ]
}
