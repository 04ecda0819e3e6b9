import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { waitForEmail } from '../harness/emails.ts'
import { anItem } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const contact = 'desk@library.example'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true, env: { CONTACT_EMAIL: contact } })
const { visit } = visitsOfFile(server)

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const references = async (): Promise<string[]> =>
  (await server.app.db.selectFrom('notices').select('reference').execute()).map(({ reference }) => reference)

test('Without JavaScript somebody reports an image of themselves from its page, adds what is missing, and it is gone', async () => {
  const item = await anItem(server.app, { name: 'A picture', link: 'https://mega.nz/file/a-picture' })
  await visit({ hasScripts: false, width: 320, expects: [/404/, /422/] }, async (page) => {
    await page.goto(`/western/${item.slug}`)
    await page.getByRole('link', { name: 'Report this entry' }).click()
    await page.getByRole('link', { name: 'An intimate or private image of me' }).click()
    const addresses = page.getByLabel('Address of each entry')
    expect(await addresses.inputValue()).toBe(`${server.app.config.publicUrl}/western/${item.slug}`)
    await page.getByLabel('What the image shows').fill('An image of me.')
    await page.getByLabel('Your email address').fill('jane@readers')
    expect(await page.getByRole('button', { name: 'Send it as it is' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send notice' }).click()
    await page.getByText('Not sent yet.').waitFor()
    await page.getByText('Sign with your full name.').first().waitFor()
    expect(await page.getByLabel('What the image shows').inputValue()).toBe('An image of me.')
    expect(await width(page)).toBeLessThanOrEqual(320)
    await page.getByLabel('Your email address').fill('jane@readers.example')
    await page.getByRole('button', { name: 'Send it as it is' }).click()
    await page.getByText('something that the law asks for is missing.').waitFor()
    expect(await width(page)).toBeLessThanOrEqual(320)
    await page.getByRole('link', { name: 'Add what is missing' }).click()
    await page.getByLabel('I believe in good faith that the image').check()
    await page.getByLabel('Your signature').fill('Jane Reader')
    expect((await page.goto(`/western/${item.slug}`))?.status()).toBe(200)
    await page.goBack()
    await page.getByLabel('I believe in good faith that the image').check()
    await page.getByLabel('Your signature').fill('Jane Reader')
    await page.getByRole('button', { name: 'Add to my notice' }).click()
    await page.getByText('We added this to your notice.').waitFor()
    await page.getByText('You added what was missing.').waitFor()
    expect(await width(page)).toBeLessThanOrEqual(320)
    expect((await page.goto(`/western/${item.slug}`))?.status()).toBe(404)
  })

  // The way back is in the email.
  const [reference = ''] = await references()
  const mail = await waitForEmail(server.app, { to: 'jane@readers.example', subject: `Your notice ${reference}` })
  const address = mail.links.find((link) => link.includes('/report/track/')) ?? ''
  await visit({ hasScripts: false, width: 320 }, async (page) => {
    await page.goto(new URL(address).pathname)
    await page.getByText('Withdraw this notice', { exact: true }).click()
    await page.getByLabel('I want to withdraw this notice.').check()
    await page.getByRole('button', { name: `Withdraw notice ${reference}` }).click()
    await page.getByText('You have withdrawn your notice.').waitFor()
    expect((await page.goto(`/western/${item.slug}`))?.status()).toBe(200)
  })
})

test('With the keyboard alone an owner sends a copyright notice: nothing typed is lost, offline is told, and two clicks are one', async () => {
  const item = await anItem(server.app, { name: 'A map of the moon', link: 'https://mega.nz/file/moon' })
  const before = await references()
  await visit({ theme: 'dark', expects: [/ERR_INTERNET_DISCONNECTED/] }, async (page) => {
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
    await page.getByText('7 fields need your attention.').waitFor()
    expect(await focused()).toBe('workDescription')
    expect(await page.getByLabel('Your work').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await page.keyboard.type('A map of the moon, drawn by me.')
    await page.getByText('6 fields need your attention.').waitFor()

    // A reload loses nothing; the address of the entry is there still.
    await page.reload()
    const work = page.getByLabel('Your work')
    await expect.poll(() => work.inputValue()).toBe('A map of the moon, drawn by me.')
    await work.focus()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('itemUrls')
    for (const text of ['Jane Owner', '', 'jane@owners.example', '+1 555 0100', '1 Main Street']) await type(text)
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

    await page.getByRole('link', { name: 'Open your private page' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Notice ${reference}` }).waitFor()
    await expectAccessible(page)
    expect(await page.locator('meta[name="referrer"]').getAttribute('content')).toBe('same-origin')
    // A sent notice leaves no draft in the tab.
    await page.goto('/report/copyright')
    expect(await page.getByLabel('Your work').inputValue()).toBe('')
  })
})

test('A notice is not withdrawn without a connection: the page says so beside the button, and the box stays checked', async () => {
  const item = await anItem(server.app, { name: 'A letter', link: 'https://mega.nz/file/a-letter' })
  await visit({ expects: [/ERR_INTERNET_DISCONNECTED/] }, async (page) => {
    await page.goto(`/report/other?entry=/western/${item.slug}`)
    await page.getByLabel('Why it is illegal').fill('It quotes a sealed judgment.')
    await page.getByLabel('I believe in good faith').check()
    await page.getByRole('button', { name: 'Send notice' }).click()
    await page.getByRole('link', { name: 'Open your private page' }).click()
    await page.getByText('Withdraw this notice', { exact: true }).click()
    const withdraw = page.getByRole('button', { name: /^Withdraw notice N-/ })
    const box = page.getByLabel('I want to withdraw this notice.')
    await withdraw.click()
    await page.getByText('Check this box to withdraw your notice.').waitFor()
    await expectAccessible(page)
    await box.check()
    await page.context().setOffline(true)
    await withdraw.click()
    await page.getByText('You are offline, so your notice was not withdrawn.').waitFor()
    // Beside the button that was pressed.
    const near = async (sentence: string, button: string | RegExp): Promise<number> => {
      const [told, pressed] = await Promise.all([
        page.getByText(sentence).boundingBox(),
        page.getByRole('button', { name: button }).boundingBox(),
      ])
      return Math.abs((pressed?.y ?? 0) - (told?.y ?? 9_999))
    }
    expect(await near('your notice was not withdrawn', /^Withdraw notice N-/)).toBeLessThan(160)
    expect(await box.isChecked()).toBe(true)
    await page.context().setOffline(false)
    await withdraw.click()
    await page.getByText('You have withdrawn your notice.').waitFor()
  })
})

test('Every state of the forms, of the answer and of the private page passes axe in both themes and fits a phone', async () => {
  for (const [theme, size] of [
    ['light', 320],
    ['dark', 1280],
  ] as const) {
    await visit({ theme, width: size, height: 800, expects: [/422/] }, async (page) => {
      const expectFit = async (): Promise<void> => {
        expect(await width(page), page.url()).toBeLessThanOrEqual(size)
        await expectAccessible(page)
      }
      await page.goto('/report/privacy')
      expect(await page.getByRole('button', { name: 'Send it as it is' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Send request' }).click()
      await page.getByText('Choose what you want us to do.').first().waitFor()
      await expectFit()
      await page.getByLabel('Take down an entry that shows or names me').check()
      await page.getByLabel('What it is about').fill('I stand in the third picture.')
      await page.getByRole('button', { name: 'Send it as it is' }).click()
      // Nobody could be asked, and no work is named.
      await page.getByText('or give us a way to reach you').first().waitFor()
      await page.getByLabel('Your email address').fill('jane@readers.example')
      await page.getByRole('button', { name: 'Send it as it is' }).click()
      const dialog = page.getByRole('dialog', { name: 'Send it incomplete?' })
      await dialog.waitFor()
      expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['Address of each entry', 'Your name'])
      await expectFit()
      await dialog.getByRole('button', { name: 'Go back' }).click()
      await page.getByRole('button', { name: 'Send it as it is' }).click()
      await dialog.getByRole('button', { name: 'Send it as it is' }).click()
      await page.getByText('something that the law asks for is missing.').waitFor()
      await expectFit()
      await page.getByRole('link', { name: 'Add what is missing' }).click()
      await page.getByRole('heading', { name: 'What is missing' }).waitFor()
      await page.getByText('Withdraw this notice', { exact: true }).click()
      await expectFit()
      await page.getByRole('button', { name: 'Add to my notice' }).click()
      await page.getByText('Fill in at least one of these fields.').first().waitFor()
      await expectFit()
    })
  }
})
