import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { visitsOfFile } from '../harness/browser.ts'
import { waitForEmail } from '../harness/emails.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile()
const { visit } = visitsOfFile(server)

/** The path of the link in the newest email to somebody. */
async function linkTo(to: string, subject: RegExp): Promise<string> {
  const { links } = await waitForEmail(server.app, { to, subject })
  const link = new URL(links.find((one) => one.includes('/confirm-address')) ?? '')
  return link.pathname + link.search
}

// The browser's form of it in a field for addresses.
const wanted = 'after@xn--bcher-kva.example'

const path = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search
const section = (page: Page) => page.getByRole('region', { name: 'Email Address' })
const confirmButton = (page: Page) => page.getByRole('button', { name: 'Confirm address' })
const storedEmail = (page: Page) =>
  page.evaluate(() => localStorage.getItem('email') ?? sessionStorage.getItem('email'))

test('A newcomer confirms the address of their account, also without scripts, and changes it: nothing before the link is used, then everything', async () => {
  const email = 'newcomer@readers.example'
  await visit({ expects: [/429|400/] }, async (page) => {
    await page.goto('/register')
    await page.getByLabel('Full Name').fill('Nora Newcomer')
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('a quiet reading room')
    await page.getByLabel('Confirm Password').fill('a quiet reading room')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.waitForURL('**/')
    await page.goto('/account')
    await page.getByText('(not confirmed yet)').waitFor()
    await page.getByRole('link', { name: 'Confirm it' }).click()
    await section(page).getByText('Your address is not confirmed yet.').waitFor()
    await expectAccessible(page)
    // The link of the welcome has just been sent.
    await section(page).getByRole('button', { name: 'Send another link' }).click()
    await section(page)
      .getByText(/^A link was sent less than 10 minutes ago/)
      .waitFor()

    const link = await linkTo(email, /^Welcome/)
    const referrers: string[] = []
    page.on('request', (request) => void referrers.push(request.headers()['referer'] ?? ''))
    await page.goto(link)
    await confirmButton(page).waitFor()
    await expect.poll(() => path(page)).toBe('/confirm-address')
    await page.reload()
    await confirmButton(page).focus()
    await page.keyboard.press('Enter')
    await page.getByText(`Your address ${email} is confirmed.`).waitFor()
    expect(referrers.join(' ')).not.toContain('token')
    await expectAccessible(page)
    await visit({ hasScripts: false, width: 320, height: 640 }, async (elsewhere) => {
      await elsewhere.goto(link)
      await confirmButton(elsewhere).click()
      await elsewhere.getByText(`Your address ${email} is confirmed.`).waitFor()
      await elsewhere.getByRole('link', { name: 'Sign in' }).last().waitFor()
    })
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await page.getByText('Member since').waitFor()
    expect(await page.getByText('(not confirmed yet)').count()).toBe(0)
    // A link that is cut off, or made up, says what to do.
    await page.goto('/confirm-address')
    await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor()
    await page.goto('/confirm-address?token=made-up')
    await confirmButton(page).click()
    await page.getByText('This link is not valid any more.').waitFor()
    expect(await confirmButton(page).count()).toBe(0)
    await expectAccessible(page)

    await page.goto('/account/security')
    const change = section(page).getByRole('button', { name: 'Change Email Address' })
    await change.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Change Email Address' })
    const field = dialog.getByLabel('New Email Address')
    await field.waitFor()
    await expectAccessible(page)
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await dialog.getByText('This is your address already').waitFor()
    await field.fill('after@bücher.example')
    await dialog.getByRole('button', { name: 'Send Link' }).click()
    await dialog.getByText(`We sent a link to ${wanted}. Use it, and the address changes.`).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await section(page).getByText(wanted).waitFor()
    await page.getByRole('button', { name: 'Dark theme' }).first().click()
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)

    // Taken back, and asked for once more.
    await section(page).getByRole('button', { name: 'Keep the present address' }).click()
    await section(page).getByText(`Your address stays ${email}.`).waitFor()
    await section(page).getByText(wanted).waitFor({ state: 'detached' })
    await change.click()
    await field.fill('after@bücher.example')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Close' }).click()

    const warning = await waitForEmail(server.app, { to: email, subject: /^Another address/ })
    expect(warning.text).toContain(wanted)
    expect(await storedEmail(page)).toBe(email)
    await page.goto(await linkTo(wanted, /^Confirm your new address/))
    await confirmButton(page).click()
    await page.getByText(`The address of your account is ${wanted} from now on.`).waitFor()
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await page.getByRole('main').getByText(wanted, { exact: true }).waitFor()
    await expect.poll(() => storedEmail(page)).toBe(wanted)
    await waitForEmail(server.app, { to: email, subject: /has another address$/ })
  })
})
