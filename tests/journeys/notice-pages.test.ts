import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { fileAppeal } from '../../src/features/notices/desk/file-appeal.server.ts'
import { trackingPath, trackingTokenOf } from '../../src/features/notices/intake/tracking-token.server.ts'
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

const documentWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** On a wide screen and a tablet in one theme, and on a phone in the other; axe sees the first and the last. */
async function expectFitEverywhere(page: Page): Promise<void> {
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await documentWidth(page), page.url()).toBeLessThanOrEqual(width)
  }
  await expectAccessible(page)
  // A dialog lies above the switch.
  await page.evaluate(() => document.body.classList.toggle('light-mode'))
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await documentWidth(page), page.url()).toBeLessThanOrEqual(320)
  await expectAccessible(page)
  await page.evaluate(() => document.body.classList.toggle('light-mode'))
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('Every page of notices passes axe in both themes and fits three widths, however long what people typed is', async () => {
  const { open, decided, slug, privatePages } = await theLongest()
  await visit({ theme: 'light', expects: [/status of 4/] }, async (page) => {
    for (const path of [`/western/${slug}`, ...privatePages]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectFitEverywhere(page)
    }
    await sendIncomplete(page)

    await remember(page, server, ada)
    await page.goto('/admin/notices?state=incomplete')
    await page.getByRole('link', { name: open }).waitFor()
    await expectFitEverywhere(page)
    await page.goto(`/admin/notices/${decided}`)
    await page.getByRole('heading', { name: 'A counter-notice is waiting' }).waitFor()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await expectEachControlIsReached(page)
    await expectFitEverywhere(page)
    await page.getByRole('button', { name: 'Accept and forward' }).click()
    await page.getByRole('dialog').waitFor()
    await expectFitEverywhere(page)
    await page.goto(`/admin/notices/${open}`)
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await expectEachControlIsReached(page)
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await page.getByText('Choose what is decided.').waitFor()
    await expectFitEverywhere(page)
    await decide(page)
    await page.getByRole('heading', { name: 'Before you send it' }).waitFor()
    await expectFitEverywhere(page)
  })
})

/** A request that lacks what the law asks for, from its form to its private page. */
async function sendIncomplete(page: Page): Promise<void> {
  await page.goto('/report/privacy')
  expect(await page.getByRole('button', { name: 'Send it as it is' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('Choose what you want us to do.').first().waitFor()
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
  await expectFitEverywhere(page)
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('button', { name: 'Send it as it is' }).click()
  await dialog.getByRole('button', { name: 'Send it as it is' }).click()
  await page.getByText('something that the law asks for is missing.').waitFor()
  await expectFitEverywhere(page)
  await page.getByRole('link', { name: 'Add what is missing' }).click()
  await page.getByRole('heading', { name: 'What is missing' }).waitFor()
  await page.getByText('Withdraw this notice', { exact: true }).click()
  await page.getByRole('button', { name: 'Add to my notice' }).click()
  await page.getByText('Fill in at least one of these fields.').first().waitFor()
  await expectFitEverywhere(page)
}

async function decide(page: Page): Promise<void> {
  await page.getByLabel('Remove', { exact: true }).check()
  await page.getByLabel('Illegal', { exact: true }).check()
  await page.getByLabel('The law', { exact: true }).fill(reasons.legalGround)
  await page.getByLabel('Facts').fill(reasons.facts)
  await page.getByLabel('Explanation').fill(reasons.explanation)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
}
