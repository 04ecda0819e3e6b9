import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { expectEachControlIsReached } from '../harness/focus.ts'
import { anItem } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, post, remember, signIn } from '../harness/members.ts'
import { aNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

let ada: MadeMember

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  ada = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
})

/** Is nowhere wider than the window, and passes axe at the last width. */
async function expectFitAt(page: Page, ...at: [number, number, number]): Promise<void> {
  for (const width of at) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBeLessThanOrEqual(width)
  }
  await expectAccessible(page)
}

/** On a phone, a tablet and a wide screen, in both themes; axe sees the wide screen in one and the phone in the other. */
async function expectFitEverywhere(page: Page): Promise<void> {
  const isDark = () => page.locator('body').evaluate((body) => !body.classList.contains('light-mode'))
  const before = await isDark()
  await expectFitAt(page, 320, 768, 1280)
  await page.getByRole('button', { name: 'Dark theme' }).first().click()
  await expect.poll(isDark).toBe(!before)
  await expectFitAt(page, 1280, 768, 320)
}

test('The case of a notice fits three widths and passes axe in both themes, open, decided and answered by a counter-notice', async () => {
  const item = await anItem(server.app, { name: 'Letters from a Lighthouse', link: 'https://mega.nz/file/letters' })
  const { reference } = await aNotice(server.app, { urls: [item.slug], missing: ['signature'] })
  const token = await signIn(server, ada)
  await visit({ theme: 'light' }, async (page) => {
    const openCase = async () => {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(`/admin/notices/${reference}`)
      await page.getByRole('heading', { name: `Copyright ${reference}`, level: 1 }).waitFor()
    }
    await remember(page, server, ada)
    await openCase()
    await expectEachControlIsReached(page)
    await page.getByRole('button', { name: 'Decide', exact: true }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Choose what is decided.').waitFor()
    await expectFitEverywhere(page)

    const decision = { outcome: 'remove', ground: 'illegal', legalGround: 'Law', facts: 'F.', explanation: 'E.' }
    const decided = await post(server, `/api/notices/${reference}/decision`, { ...decision, version: 1 }, bearer(token))
    expect(decided.status, decided.text).toBe(200)
    const fields = {
      reference,
      itemUrls: `/western/${item.slug}`,
      explanation: 'It is the translation of 1887.',
      name: 'Oskar Owner',
      address: '2 Quay Street, Whitby',
      phone: '+44 1947 600000',
      email: 'oskar@owner.example',
      perjury: 'on',
      jurisdiction: 'on',
      signature: 'Oskar Owner',
    }
    const answer = await server.request('/report/counter-notice', {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    })
    expect(answer.status, answer.text).toBeLessThan(400)
    await openCase()
    await page.getByText('It is the translation of 1887.').waitFor()
    await expectEachControlIsReached(page)
    await expectFitEverywhere(page)
  })
})
