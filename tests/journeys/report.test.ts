import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { anItem } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const contact = 'desk@library.example'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true, env: { CONTACT_EMAIL: contact } })
const { visit } = visitsOfFile(server)

const references = async (): Promise<string[]> =>
  (await server.app.db.selectFrom('notices').select('reference').execute()).map(({ reference }) => reference)

test('With the keyboard alone an owner sends a copyright notice: nothing typed is lost, offline is told, two clicks are one; they withdraw it', async () => {
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
    await expect.poll(focused).toBe('workDescription')
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

    // It is not withdrawn without a connection: the page says so beside the button, and the box stays checked.
    await page.getByText('Withdraw this notice', { exact: true }).click()
    const withdraw = page.getByRole('button', { name: `Withdraw notice ${reference}` })
    const box = page.getByLabel('I want to withdraw this notice.')
    await withdraw.click()
    await page.getByText('Check this box to withdraw your notice.').waitFor()
    await expectAccessible(page)
    await box.check()
    await page.context().setOffline(true)
    await withdraw.click()
    const told = page.getByText('You are offline, so your notice was not withdrawn.')
    await told.waitFor()
    const [above, pressed] = [await told.boundingBox(), await withdraw.boundingBox()]
    expect(Math.abs((pressed?.y ?? 0) - (above?.y ?? 9_999))).toBeLessThan(160)
    expect(await box.isChecked()).toBe(true)
    await page.context().setOffline(false)
    await withdraw.click()
    await page.getByText('You have withdrawn your notice.').waitFor()
    // A sent notice leaves no draft in the tab.
    await page.goto('/report/copyright')
    await expect.poll(() => page.getByLabel('Your work').inputValue()).toBe('')
  })
})
