import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openBrowser, visitAs } from '../harness/browser.ts'
import { waitForEmail } from '../harness/emails.ts'
import { anItem } from '../harness/items.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser
const contact = 'desk@library.example'

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    openTestServer({ now: new Date().toISOString(), jobs: true, env: { CONTACT_EMAIL: contact } }),
    openBrowser(),
  ])
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const references = async (): Promise<string[]> =>
  (await server.app.db.selectFrom('notices').select('reference').execute()).map(({ reference }) => reference)

test('Without JavaScript somebody reports an image of themselves from its page, adds what is missing, and it is gone', async () => {
  const item = await anItem(server.app, { name: 'A picture', link: 'https://mega.nz/file/a-picture' })
  await visitAs(browser, server.url, { hasScripts: false, width: 320, expects: [/404/, /422/] }, async (page) => {
    await page.goto(`/western/${item.slug}`)
    await page.getByRole('link', { name: 'Report this entry' }).click()
    await page.getByRole('link', { name: 'An intimate or private image of me' }).click()
    const addresses = page.getByLabel('The address of each entry')
    expect(await addresses.inputValue()).toBe(`${server.app.config.publicUrl}/western/${item.slug}`)
    await page.getByLabel('What it shows, in a few words').fill('An image of me.')
    await page.getByLabel('Your email address').fill('jane@readers')
    await page.getByRole('button', { name: 'Send it as it is' }).click()
    await page.getByText('This could not be sent yet.').waitFor()
    expect(await page.getByLabel('What it shows, in a few words').inputValue()).toBe('An image of me.')
    expect(await width(page)).toBeLessThanOrEqual(320)
    await page.getByLabel('Your email address').fill('jane@readers.example')
    await page.getByRole('button', { name: 'Send it as it is' }).click()
    await page.getByText('Something that the law asks for is missing.').waitFor()
    expect(await width(page)).toBeLessThanOrEqual(320)
    await page.getByRole('link', { name: 'Add what is missing' }).click()
    await page.getByLabel('I believe in good faith that the image').check()
    await page.getByLabel('Your signature').fill('Jane Reader')
    expect((await page.goto(`/western/${item.slug}`))?.status()).toBe(200)
    await page.goBack()
    await page.getByLabel('I believe in good faith that the image').check()
    await page.getByLabel('Your signature').fill('Jane Reader')
    await page.getByRole('button', { name: 'Add to my notice' }).click()
    await page.getByText('What you added is part of your notice now.').waitFor()
    await page.getByText('You added what was missing.').waitFor()
    expect(await width(page)).toBeLessThanOrEqual(320)
    expect((await page.goto(`/western/${item.slug}`))?.status()).toBe(404)
  })

  // The way back is in the email.
  const [reference = ''] = await references()
  const mail = await waitForEmail(server.app, { to: 'jane@readers.example', subject: `Your notice ${reference}` })
  const address = mail.links.find((link) => link.includes('/report/track/')) ?? ''
  await visitAs(browser, server.url, { hasScripts: false, width: 320 }, async (page) => {
    await page.goto(new URL(address).pathname)
    await page.getByText('Withdraw this notice', { exact: true }).click()
    await page.getByLabel('I withdraw this notice.').check()
    await page.getByRole('button', { name: `Withdraw notice ${reference}` }).click()
    await page.getByText('You have withdrawn your notice.').waitFor()
    expect((await page.goto(`/western/${item.slug}`))?.status()).toBe(200)
  })
})

test('With the keyboard alone an owner sends a copyright notice: nothing typed is lost, offline is told, and two clicks are one', async () => {
  const item = await anItem(server.app, { name: 'A map of the moon', link: 'https://mega.nz/file/moon' })
  const before = await references()
  await visitAs(browser, server.url, { theme: 'dark', expects: [/ERR_INTERNET_DISCONNECTED/] }, async (page) => {
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name)
    const type = async (text: string): Promise<void> => {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.goto(`/report?entry=/western/${item.slug}`)
    await page.getByRole('link', { name: 'Copyright', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Copyright' }).waitFor()
    const send = page.getByRole('button', { name: 'Send notice' })
    await send.focus()
    await page.keyboard.press('Enter')
    // The first of what is missing has the focus; each says what to do.
    await page.getByText('9 answers need another look.').waitFor()
    expect(await focused()).toBe('workDescription')
    expect(await page.getByLabel('The work that is yours').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await page.keyboard.type('A map of the moon, drawn by me.')
    await page.getByText('8 answers need another look.').waitFor()

    // A reload loses nothing; the address of the entry is there still.
    await page.reload()
    const work = page.getByLabel('The work that is yours')
    await expect.poll(() => work.inputValue()).toBe('A map of the moon, drawn by me.')
    await work.focus()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('itemUrls')
    for (const text of ['Jane Owner', '', '1 Main Street', '+1 555 0100', 'jane@owners.example']) await type(text)
    for (const name of ['goodFaith', 'accuracy', 'perjury']) {
      await page.keyboard.press('Tab')
      expect(await focused()).toBe(name)
      await page.keyboard.press('Space')
    }
    await type('Jane Owner')

    await page.context().setOffline(true)
    await send.focus()
    await page.keyboard.press('Enter')
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await send.dblclick()
    await page.getByText('Your notice has arrived and is complete.').waitFor()
    await expectAccessible(page)
    const after = await references()
    const reference = after.find((each) => !before.includes(each)) ?? ''
    expect(after).toHaveLength(before.length + 1)
    await page.getByText(reference, { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Open the page of your notice' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Notice ${reference}` }).waitFor()
    await expectAccessible(page)
    expect(await page.locator('meta[name="referrer"]').getAttribute('content')).toBe('same-origin')
    // What was sent is not kept in the tab.
    await page.goto('/report/copyright')
    expect(await page.getByLabel('The work that is yours').inputValue()).toBe('')
  })
})

test('Every state of the forms, of the answer and of the private page passes axe in both themes and fits a phone', async () => {
  for (const [theme, size] of [
    ['light', 320],
    ['dark', 1280],
  ] as const) {
    await visitAs(browser, server.url, { theme, width: size, height: 800, expects: [/422/] }, async (page) => {
      const expectFit = async (): Promise<void> => {
        expect(await width(page), page.url()).toBeLessThanOrEqual(size)
        await expectAccessible(page)
      }
      await page.goto('/report/privacy')
      await page.getByRole('button', { name: 'Send request' }).click()
      await page.getByText('Choose what you ask for.').first().waitFor()
      await expectFit()
      await page.getByLabel('I am shown or named in an entry').check()
      await page.getByLabel('What it is about').fill('I stand in the third picture.')
      await page.getByRole('button', { name: 'Send it as it is' }).click()
      await page.getByText('Something that the law asks for is missing.').waitFor()
      await expectFit()
      await page.getByRole('link', { name: 'Add what is missing' }).click()
      await page.getByRole('heading', { name: 'What is missing' }).waitFor()
      await page.getByText('Withdraw this notice', { exact: true }).click()
      await expectFit()
      await page.getByRole('button', { name: 'Add to my notice' }).click()
      await page.getByText('Fill in at least one of these.').first().waitFor()
      await expectFit()
    })
  }
})
