import { beforeAll, expect, test } from 'vitest'
import { aFullCatalogue } from '../harness/catalogue.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await aFullCatalogue(server.app)
})

const refused = /require-trusted-types-for|trusted-types |TrustedHTML|TrustedScript|Policy|policy/

test('A text that a script puts into a page becomes neither markup nor a script, no further policy can be made, and a page that does not fit its scripts is written anew', async () => {
  await visit({ expects: [refused] }, async (page) => {
    await page.goto('/western')
    const outcomes = await page.evaluate(() => {
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): unknown }
      }
      const evil = '<img src=x onerror="window.isTaken = true">'
      const attempts: Record<string, () => void> = {
        innerHTML: () => (document.body.innerHTML = evil),
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', evil),
        'document.write': () => document.write(evil),
        'text of a script': () => (document.createElement('script').text = 'window.isTaken = true'),
        'source of a script': () => (document.createElement('script').src = '/evil.js'),
        srcdoc: () => (document.createElement('iframe').srcdoc = evil),
        'another policy': () => void trustedTypes.createPolicy('mine', {}),
        'the same policy again': () => void trustedTypes.createPolicy('markup', {}),
        'a policy for everything': () => void trustedTypes.createPolicy('default', {}),
      }
      return Object.entries(attempts).map(([name, attempt]) => {
        try {
          attempt()
          return `${name} was done`
        } catch {
          return ''
        }
      })
    })
    expect(outcomes.filter((outcome) => outcome !== '')).toEqual([])
    expect(await page.evaluate(() => 'isTaken' in window)).toBe(false)
    // The list itself goes on.
    await page.getByRole('button', { name: 'Load More Content' }).click()
    await expect.poll(() => page.locator('#entries .entries a').count()).toBeGreaterThan(300)
  })

  // A page that somebody on the way has changed is written anew, and works.
  await visit({ expects: [/Minified React error #418/] }, async (page) => {
    await page.route('**/plans', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/(<main[^>]*>)/, '$1<p>From somewhere</p>'),
      })
    })
    await page.goto('/plans')
    await expect.poll(() => page.getByText('From somewhere').count()).toBe(0)
    await page.locator('.site-header').getByRole('link', { name: 'Login' }).click()
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  })
})
