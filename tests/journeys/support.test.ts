import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { waitForEmail } from '../harness/emails.ts'
import { aMember, bearer, post, remember, signIn } from '../harness/members.ts'
import { closeLine } from '../harness/site-limits.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const contact = 'desk@library.example'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true, env: { CONTACT_EMAIL: contact } })
const { visit } = visitsOfFile(server)

test('A visitor and a VIP write to the operator, who answers the VIP first', async () => {
  const vip = await aMember(server.app, { name: 'Vera Very', isVip: true })
  const admin = await aMember(server.app, { isAdmin: true })

  const ofVisitor = { name: 'Jane Reader', email: 'jane@readers.example', message: 'Where do the books come from?' }
  expect((await post(server, '/support', ofVisitor)).status).toBe(200)
  await visit({ theme: 'dark', width: 320 }, async (page) => {
    await remember(page, server, vip)
    await page.goto('/support')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Vera Very')
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(vip.email)
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await page.locator('.notice-failed', { hasText: 'Please fill in all the fields.' }).waitFor()
    await page.getByLabel('Inquiry').fill('My download stops.')
    await page.getByRole('button', { name: 'Send inquiry' }).dblclick()
    await page.locator('.notice-done', { hasText: 'Your inquiry was sent successfully.' }).waitFor()
    await expect.poll(() => page.getByLabel('Inquiry').inputValue()).toBe('')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })

  const mail = await waitForEmail(server.app, { to: contact, subject: 'VIP inquiry from Vera Very' })
  expect(mail.headers.get('reply-to')).toContain(vip.email)
  expect(mail.links).toContain(`${server.app.config.publicUrl}/admin/support`)

  await visit({ theme: 'light' }, async (page) => {
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
    await expect.poll(() => dialog.getByLabel('Answer').inputValue()).toBe('No idea.')
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
    await first.getByRole('button', { name: /^More.*Vera Very/ }).click()
    await page.getByRole('menuitem', { name: 'Close' }).click()
    await first.locator('.badge', { hasText: 'Closed' }).waitFor()
    await page.getByLabel('State').selectOption('closed')
    await expect.poll(() => inquiries.count()).toBe(1)
    await inquiries.getByRole('button', { name: 'Reopen' }).click()
    await page.locator('.badge', { hasText: 'Open' }).waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })

  // A flood, from an address that is not that of the account, is closed at once.
  const flooder = await aMember(server.app, { name: 'Fay Flooder' })
  const session = bearer(await signIn(server, flooder))
  for (let i = 1; i <= 3; i += 1) {
    const inquiry = { name: `Flood ${i}`, email: 'flood@readers.example', message: `Again ${i}.` }
    expect((await post(server, '/support', inquiry, session)).status).toBe(200)
  }
  await visit({ theme: 'dark', width: 320 }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/support')
    const inquiries = page.getByRole('article')
    const first = inquiries.filter({ hasText: 'Flood 1' })
    await first.getByText('Account: Fay Flooder').waitFor()
    await first.getByText('They typed another address: flood@readers.example').waitFor()
    await first.getByRole('button', { name: 'Reply to Flood 1' }).click()
    await page.getByText(`The address of their account is ${flooder.email}.`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await first.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name: 'Show all from this address' }).click()
    await page.getByText('Only those from').waitFor()
    await expect.poll(() => inquiries.count()).toBe(3)
    await page.getByLabel('Select the inquiry of Flood 2').check()
    await page.getByRole('button', { name: 'Close 1 inquiry' }).waitFor()
    await page.getByLabel('Select all 3 shown').check()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    // One is answered by somebody else meanwhile.
    const { id } = await server.app.db
      .selectFrom('inquiries')
      .select('id')
      .where('name', '=', 'Flood 2')
      .executeTakeFirstOrThrow()
    await server.app.db.updateTable('inquiries').set({ state: 'answered', version: 2 }).where('id', '=', id).execute()
    await page.getByRole('button', { name: 'Close 3 inquiries' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Close them' }).click()
    await page
      .getByText(
        '2 inquiries were closed. Somebody else has changed 1 inquiry in the meantime, left as they are: Flood 2.',
      )
      .waitFor()
    await page.getByText('No inquiries found.').waitFor()
  })

  // The visitors' share is used up: what was typed is there after signing in.
  const ofStrangers = server.app.limits.limit({ name: 'inquiry.strangers', points: 600, seconds: 3_600 })
  for (let i = 0; i < 600; i += 1) await ofStrangers.count('site')
  closeLine(server.app, 'inquiry.strangers')
  await visit({ expects: [/429/] }, async (page) => {
    await page.goto('/support')
    await page.getByLabel('Name').fill('Vera Very')
    await page.getByLabel('Email').fill(vip.email)
    await page.getByLabel('Inquiry').fill('Is anybody there?')
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await page.getByText(`Sign in and send it again, or write to ${contact}.`).waitFor()
    expect(await page.locator('.notice-failed a').getAttribute('href')).toBe('/login?next=%2Fsupport')
    await expectAccessible(page)
    await remember(page, server, vip)
    await page.goto('/support')
    await expect.poll(() => page.getByLabel('Inquiry').inputValue()).toBe('Is anybody there?')
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await page.locator('.notice-done', { hasText: 'Your inquiry was sent successfully.' }).waitFor()
  })

  const answer = await waitForEmail(server.app, { to: vip.email, subject: 'Re: your inquiry to Daybook' })
  expect(answer.text).toContain('Try the other mirror.')
  expect(answer.text).toContain('My download stops.')
})
