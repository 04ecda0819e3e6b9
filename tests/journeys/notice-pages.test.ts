import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { fileAppeal } from '../../src/features/notices/desk/file-appeal.server.ts'
import { trackingPath, trackingTokenOf } from '../../src/features/notices/intake/tracking-token.server.ts'
import { expectAccessible } from '../harness/axe.ts'
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
  await aMember(server.app, { name: 'Ana Second', isAdmin: true })
  await server.app.db.updateTable('users').set({ is_safety_officer: true }).where('id', '=', ada.id).execute()
})

/** No space, hyphen or other place at which a line may end. */
const unbroken = (length: number): string => 'Wxy'.repeat(Math.ceil(length / 3)).slice(0, length)

const longest = {
  name: unbroken(200),
  organization: unbroken(200),
  address: unbroken(400),
  phone: '5'.repeat(60),
  email: `${unbroken(64)}@${unbroken(60)}.example`,
  workDescription: unbroken(500),
  explanation: unbroken(500),
  lawCited: unbroken(500),
  signature: unbroken(200),
}
const reasons = { ground: 'illegal', legalGround: unbroken(400), facts: unbroken(400), explanation: unbroken(400) }

/** A decided notice with an appeal and a counter-notice, and an open one, of which every text is as long as it may be. */
async function theLongest(): Promise<{ open: string; decided: string; slug: string; privatePages: string[] }> {
  const { app } = server
  const [first, second] = [
    await anItem(app, { name: `First ${unbroken(110)}`, link: 'https://mega.nz/file/first' }),
    await anItem(app, {
      name: `Second ${unbroken(110)}`,
      link: `https://mega.nz/file/${unbroken(150)}`,
    }),
  ]
  const urls = (slug: string): string[] => [slug, `https://${unbroken(60)}.example/${unbroken(900)}`]
  const open = await aNotice(app, { ...longest, urls: urls(first.slug), missing: ['signature'], signature: null })
  const decided = await aNotice(app, { ...longest, urls: urls(second.slug) })
  const token = bearer(await signIn(server, ada))
  const decision = { outcome: 'remove', ...reasons, version: 1 }
  expect((await post(server, `/api/notices/${decided.reference}/decision`, decision, token)).status).toBe(200)
  await server.request('/report/counter-notice', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.config.publicUrl },
    body: new URLSearchParams({
      ...longest,
      reference: decided.reference,
      itemUrls: `/western/${second.slug}`,
      perjury: 'on',
      jurisdiction: 'on',
    }).toString(),
  })
  await app.db.transaction().execute((trx) => fileAppeal(app, trx, { noticeId: decided.id, statement: unbroken(500) }))
  const privatePages = await Promise.all(
    [open, decided].map(async ({ id }) => trackingPath(await trackingTokenOf(app.db, id))),
  )
  return { open: open.reference, decided: decided.reference, slug: second.slug, privatePages }
}

test('Every page of notices fits a phone, however long what people typed is, and passes axe', async () => {
  const { open, decided, slug, privatePages } = await theLongest()
  await visit({ theme: 'dark', width: 320, height: 700, expects: [/status of 4/] }, async (page) => {
    const expectFit = async (): Promise<void> => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, page.url()).toBeLessThanOrEqual(320)
      await expectAccessible(page)
    }
    await remember(page, server, ada)
    for (const path of [`/western/${slug}`, ...privatePages]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectFit()
    }
    // The page of a removed entry in the other theme; those of the desk and of senders are seen so elsewhere.
    const setTheme = (theme: string) => page.evaluate((value) => localStorage.setItem('theme', value), theme)
    await setTheme('light')
    await page.goto(`/western/${slug}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectFit()
    await setTheme('dark')
    await page.goto('/admin/notices?state=incomplete')
    await page.getByRole('link', { name: open }).waitFor()
    await expectFit()
    await page.goto(`/admin/notices/${decided}`)
    await page.getByRole('heading', { name: 'A counter-notice is waiting' }).waitFor()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await expectFit()
    await page.getByRole('button', { name: 'Accept and forward' }).click()
    await page.getByRole('dialog').waitFor()
    await expectFit()
    await page.goto(`/admin/notices/${open}`)
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await expectFit()
    await decide(page)
    await page.getByRole('heading', { name: 'Before you send it' }).waitFor()
    await expectFit()
  })
})

async function decide(page: Page): Promise<void> {
  await page.getByLabel('Remove', { exact: true }).check()
  await page.getByLabel('Illegal', { exact: true }).check()
  await page.getByLabel('The law', { exact: true }).fill(reasons.legalGround)
  await page.getByLabel('Facts').fill(reasons.facts)
  await page.getByLabel('Explanation').fill(reasons.explanation)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
}

test('A dialog of the desk gives the keyboard back to the button that opened it', async () => {
  const item = await anItem(server.app, { name: 'A quiet book', link: 'https://mega.nz/file/quiet' })
  const { reference } = await aNotice(server.app, { urls: [item.slug] })
  await visit({ theme: 'light' }, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await remember(page, server, ada)
    await page.goto(`/admin/notices/${reference}`)
    for (const name of ['Ask for information', 'Change kind', 'Attach an entry', 'Mark as duplicate']) {
      const opener = name === 'Ask for information' ? name : 'More'
      await page.getByRole('button', { name: opener, exact: true }).press('Enter')
      if (opener === 'More') await page.getByRole('menuitem', { name }).press('Enter')
      await page.getByRole('dialog', { name }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(focused).toBe(opener)
    }
    await page.getByRole('button', { name: /^Detach A quiet book/ }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Detach A quiet book')
  })
})
