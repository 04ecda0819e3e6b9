import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { findViolations } from '../harness/axe.ts'
import { openBrowser, visitAs } from '../harness/browser.ts'

test('A journey fails by every console error, failed script, foreign call, missing page and violation of a policy, in any tab, unless it expects them', async () => {
  const site = createServer((request, response) => {
    const scripts: Record<string, string> = {
      '/says': 'console.error("something is wrong")',
      '/throws': 'throw new Error("nobody has caught this")',
      '/calls': 'fetch("http://127.0.0.1:1/elsewhere").catch(() => undefined)',
      '/opens': 'open("/says")',
      '/violates': 'try { document.head.innerHTML = "<b>" } catch {}',
    }
    const script = scripts[request.url ?? '']
    if (request.url === '/violates') {
      response.setHeader('content-security-policy', "require-trusted-types-for 'script'")
    }
    response.setHeader('content-type', 'text/html')
    response.statusCode = script === undefined && request.url !== '/quiet' ? 404 : 200
    response.end(
      `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A page</title><script>${script ?? ''}</script><p>Here</p></html>`,
    )
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const browser = await openBrowser()
  const visit = (path: string, expects: RegExp[] = []): Promise<void> =>
    visitAs(browser, url, { expects }, async (page) => {
      const opened = path === '/opens' ? page.context().waitForEvent('page') : undefined
      await page.goto(path)
      await (await opened)?.waitForLoadState()
      await page.waitForLoadState('networkidle')
    })
  try {
    await visit('/quiet')
    await expect(visit('/says')).rejects.toThrow('console: something is wrong')
    await expect(visit('/throws')).rejects.toThrow('script: nobody has caught this')
    await expect(visit('/calls')).rejects.toThrow('call to http://127.0.0.1:1/elsewhere')
    await expect(visit('/opens')).rejects.toThrow('console: something is wrong')
    await expect(visit('/violates')).rejects.toThrow("refused by the page's policy: require-trusted-types-for")
    await expect(visit('/missing')).rejects.toThrow('404')
    await visit('/missing', [/404/])
  } finally {
    await browser.close()
    site.close()
  }
})

test('axe looks at rows of every markup; only of more than five of the same markup it leaves the others out, unless it is told not to, and what is closed', async () => {
  await using browser = await openBrowser()
  const page = await browser.newPage()
  const isPale = [expect.stringMatching(/^color-contrast/) as string]
  const pale = 'style="color: #ddd; background: #fff"'
  const list = (rows: string[]): Promise<void> =>
    page.setContent(
      `<!doctype html><html lang="en"><title>A list</title><main><h1>A list</h1><ul>${rows.join('')}</ul></main></html>`,
    )
  const rows = (count: number, markup = ''): string[] =>
    Array.from({ length: count }, (_, no) => `<li ${markup}>Row ${no}</li>`)
  await list(rows(20))
  expect(await findViolations(page)).toEqual([])
  await list([...rows(20), `<li class="other" ${pale}>Another row</li>`])
  expect(await findViolations(page)).toEqual(isPale)
  // Invisible rows take nobody's place.
  await list([...rows(5, 'style="display: none"'), ...rows(1, pale)])
  expect(await findViolations(page)).toEqual(isPale)

  await list([...rows(5, 'style="color: #000"'), ...rows(1, pale)])
  expect(await findViolations(page)).toEqual([])
  expect(await findViolations(page, { whole: true })).toEqual(isPale)
  // The page stands as it stood.
  expect(await page.locator('li:visible').count()).toBe(6)

  const details = (isOpen: boolean): string =>
    `<li><details ${isOpen ? 'open' : ''}><summary>More</summary> of <p ${pale}>it</p></details></li>`
  await list([details(false)])
  const before = await page.content()
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.body.innerHTML)).toBe(/<body>(.*)<\/body>/.exec(before)?.[1])
  await list([details(true)])
  expect(await findViolations(page)).toEqual(isPale)
  expect(await findViolations(page, { within: 'details' })).toEqual(isPale)
  expect(await findViolations(page, { within: 'h1, summary' })).toEqual([])
})
