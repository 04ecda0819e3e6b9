import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openBrowser, visitAs } from '../harness/browser.ts'
import { waitForEmail } from '../harness/emails.ts'
import { aMember, remember } from '../harness/members.ts'
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

test('A visitor without JavaScript and a VIP write to the operator, who answers the VIP first', async () => {
  const vip = await aMember(server.app, { name: 'Vera Very', isVip: true })
  const admin = await aMember(server.app, { isAdmin: true })

  await visitAs(browser, server.url, { hasScripts: false, width: 320, expects: [/422/] }, async (page) => {
    await page.goto('/support')
    await page.getByLabel('Name').fill('Jane Reader')
    await page.getByLabel('Email').fill('jane@readers.example')
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await page.locator('.notice-failed', { hasText: 'Please fill in all the fields.' }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Jane Reader')
    await page.getByLabel('Inquiry').fill('Where do the books come from?')
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await page.locator('.notice-done', { hasText: 'Your inquiry was sent successfully.' }).waitFor()
  })

  await visitAs(browser, server.url, { theme: 'dark', width: 320 }, async (page) => {
    await remember(page, server, vip)
    await page.goto('/support')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Vera Very')
    expect(await page.getByLabel('Email').inputValue()).toBe(vip.email)
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await page.locator('.notice-failed', { hasText: 'Please fill in all the fields.' }).waitFor()
    await page.getByLabel('Inquiry').fill('My download stops.')
    await page.getByRole('button', { name: 'Send inquiry' }).dblclick()
    await page.locator('.notice-done', { hasText: 'Your inquiry was sent successfully.' }).waitFor()
    expect(await page.getByLabel('Inquiry').inputValue()).toBe('')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })

  const mail = await waitForEmail(server.app, { to: contact, subject: 'VIP inquiry from Vera Very' })
  expect(mail.headers.get('reply-to')).toContain(vip.email)
  expect(mail.links).toContain(`${server.app.config.publicUrl}/admin/support`)

  await visitAs(browser, server.url, { theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/support')
    const inquiries = page.getByRole('article')
    await expect.poll(() => inquiries.count()).toBe(2)
    const first = inquiries.first()
    expect(await first.textContent()).toContain('My download stops.')
    expect(await first.locator('.badge', { hasText: 'VIP' }).count()).toBe(1)
    await expectAccessible(page)
    await first.getByRole('button', { name: 'Reply to Vera Very' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reply to Vera Very' })
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
    await dialog.getByLabel('Answer').fill('No idea.')
    await page.keyboard.press('Escape')
    await question.waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Answer').inputValue()).toBe('No idea.')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Reply')
    await first.getByRole('button', { name: 'Reply to Vera Very' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await first.getByRole('button', { name: 'Reply to Vera Very' }).click()
    await dialog.getByRole('button', { name: 'Send reply' }).click()
    await dialog.getByText('Write an answer.').waitFor()
    await dialog.getByLabel('Answer').fill('Try the other mirror.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send reply' }).dblclick()
    await first.getByText('Try the other mirror.').waitFor()
    await first.locator('.badge', { hasText: 'Answered' }).waitFor()
    await first.getByRole('button', { name: 'Close the inquiry of Vera Very' }).click()
    await first.locator('.badge', { hasText: 'Closed' }).waitFor()
    await page.getByLabel('State').selectOption('closed')
    await expect.poll(() => inquiries.count()).toBe(1)
    await inquiries.getByRole('button', { name: 'Reopen' }).click()
    await page.locator('.badge', { hasText: 'Open' }).waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })

  const answer = await waitForEmail(server.app, { to: vip.email, subject: 'Re: your inquiry to Daybook' })
  expect(answer.text).toContain('Try the other mirror.')
  expect(answer.text).toContain('My download stops.')
})
