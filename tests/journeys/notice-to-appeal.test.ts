import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { workOnClocks } from '../../src/features/notices/desk/work-on-clocks.server.ts'
import { endOfBusinessDay } from '../../src/features/notices/notice/business-days.ts'
import { businessCalendar } from '../../src/features/notices/notice/holidays.server.ts'
import { expectAccessible } from '../harness/axe.ts'
import { type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { waitForEmail } from '../harness/emails.ts'
import { type MadeItem, someItems } from '../harness/items.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { ageNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* One notice from its sender to what becomes of it, with a browser for everybody who has a part in it. */

/** The decider, and the one who answers the appeal. */
let ada: MadeMember
let ben: MadeMember

const server = serverOfFile({
  now: new Date().toISOString(),
  jobs: true,
  env: { CONTACT_EMAIL: 'desk@library.example' },
})
const { visit: visitAs } = visitsOfFile(server)

beforeAll(async () => {
  ada = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
  ben = await aMember(server.app, { name: 'Ben Second', isAdmin: true })
})

const visit = (overrides: VisitorOptions, story: (page: Page) => Promise<void>): Promise<void> =>
  visitAs({ theme: 'light', ...overrides }, story)
const asOutsider = (story: (page: Page) => Promise<void>): Promise<void> =>
  visitAs({ hasScripts: false, expects: [/status of 4(04|22|51)/] }, story)
const asAdministrator = (member: MadeMember, story: (page: Page) => Promise<void>, expects: RegExp[] = []) =>
  visit({ expects }, async (page) => {
    await remember(page, server, member)
    await story(page)
  })

const told = (page: Page, sentence: string) => page.getByRole('status').getByText(sentence, { exact: true }).waitFor()
const statusOf = async ({ slug }: Pick<MadeItem, 'slug'>): Promise<number> =>
  (await server.request(`/western/${slug}`)).status
interface Sent {
  reference: string
  /** The path of the private page. */
  path: string
}
/** The sender's receipt, by their first email. */
async function sentBy(email: string): Promise<Sent> {
  const { subject, links } = await waitForEmail(server.app, { to: email, subject: /N-\w{4}-\w{4}/ })
  const path = new URL(links.find((link) => link.includes('/report/track/')) ?? '').pathname
  return { reference: /N-\w{4}-\w{4}/.exec(subject)?.[0] ?? '', path }
}
const noticeOf = (reference: string) =>
  server.app.db.selectFrom('notices').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

/** Fills in a form by the names of its fields, which other words leave as they are; `true` ticks. */
async function fillIn(page: Page, values: Readonly<Record<string, string | true>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`main [name="${name}"]`).first()
    await (value === true ? field.check() : field.fill(value))
  }
}

async function fillDecision(page: Page, outcome: string): Promise<void> {
  await page.getByLabel(outcome, { exact: true }).check()
  await page.getByLabel(outcome === 'Keep' ? 'Lawful' : 'Illegal', { exact: true }).check()
  await page.getByLabel('The law', { exact: true }).fill('17 U.S.C. § 512(c)')
  await page.getByLabel('Facts').fill('The text is that of the translation of 1987.')
  await page.getByLabel('Explanation').fill('That translation is protected.')
}

/** Sends an incomplete copyright notice without JavaScript, and completes it on its private page. */
async function report(item: MadeItem, email: string): Promise<Sent> {
  let sent: Sent = { reference: '', path: '' }
  await asOutsider(async (page) => {
    await page.goto(`/western/${item.slug}`)
    await page.getByRole('link', { name: 'Report this entry' }).click()
    await page.getByRole('link', { name: 'Copyright', exact: true }).click()
    await fillIn(page, { workDescription: 'My translation of 1987.', name: 'Clara Claimant', email })
    await page.getByRole('button', { name: 'Send notice' }).click()
    await page.getByRole('button', { name: 'Send it as it is' }).click()
    sent = await sentBy(email)
    await page.goto(sent.path)
    await fillIn(page, {
      goodFaith: true,
      accuracy: true,
      perjury: true,
      signature: 'Clara Claimant',
    })
    await page.getByRole('button', { name: 'Add to my notice' }).click()
    await page.locator('main [name="signature"]').waitFor({ state: 'detached' })
  })
  // Complete, it hides nothing by itself.
  expect(await statusOf(item)).toBe(200)
  expect(await noticeOf(sent.reference)).toMatchObject({ status: 'received' })
  return sent
}

/** The first administrator keeps the entry, the sender disagrees, and the other administrator removes it. */
async function appeal({ reference, path }: Sent, receiver: string): Promise<void> {
  await asAdministrator(ada, async (page) => {
    await page.goto('/admin/notices')
    await page.getByRole('link', { name: reference }).click()
    await page.getByRole('button', { name: 'Decide', exact: true }).click()
    await fillDecision(page, 'Keep')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.locator('.desk-form').filter({ hasText: 'Before you send it' })
    await preview.getByText(receiver).first().waitFor()
    await page.getByRole('button', { name: 'Keep 1 entry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep 1 entry' }).click()
    await told(page, 'The decision was sent.')
    // The statement of reasons is what was read before.
    const statement = await waitForEmail(server.app, { to: receiver, subject: /decision/i })
    expect(statement.text).toContain('That translation is protected.')

    await asOutsider(async (outside) => {
      await outside.goto(path)
      const form = outside.locator('main form').filter({ has: outside.locator('input[name="act"][value="appeal"]') })
      await form.locator('[name="explanation"]').fill('The second translator is I.')
      await form.locator('button[type="submit"]').click()
      await outside.getByText('The second translator is I.').waitFor()
      expect(await form.count()).toBe(0)
    })
    await page.reload()
    await page.getByText('The second translator is I.').first().waitFor()
    await page.getByText(/^You made the decision under appeal/).waitFor()
    expect(await page.getByRole('button', { name: 'Send the answer' }).count()).toBe(0)
    await page.setViewportSize({ width: 320, height: 700 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })
  await asAdministrator(ben, async (page) => {
    await page.goto('/admin/notices')
    await page.locator('tr', { hasText: reference }).getByText('Appeal', { exact: true }).waitFor()
    await page.getByRole('link', { name: reference }).click()
    await page.getByText('The second translator is I.').first().waitFor()
    await fillDecision(page, 'Overturn the decision')
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send the answer' }).click()
    await told(page, 'The appeal was answered.')
    await expectAccessible(page)
  })
}

test('An outsider reports an entry and appeals, it is removed everywhere and its link stays out, and a counter-notice brings it back on the tenth business day', async () => {
  const link = 'https://files.example/works/letters.zip'
  const [letters, copy] = (await someItems(server.app, [
    { name: 'Letters from a Lighthouse', link },
    // To appear later, with the same file in another spelling.
    { name: 'Letters for next year', link: 'HTTP://www.files.example:80/works/letters.zip#', postDate: '2999-01-01' },
    { name: 'A quiet neighbour', link: 'https://mega.nz/file/neighbour' },
  ])) as [MadeItem, MadeItem]
  const { reference, path } = await report(letters, 'clara@lighthouse.example')
  await appeal({ reference, path }, 'clara@lighthouse.example')

  // A tombstone at its address, and nothing of it in any list.
  await asOutsider(async (page) => {
    expect((await page.goto(`/western/${letters.slug}`))?.status()).toBe(451)
    await page.getByRole('heading', { name: 'Removed', exact: true }).waitFor()
    await page.getByText(reference).first().waitFor()
    expect(await page.content()).not.toContain(letters.name)
    await page.goto('/western')
    await page.getByText('A quiet neighbour').first().waitFor()
    expect(await page.getByText(letters.name).count()).toBe(0)
    await page.goto('/western?search=lighthouse')
    expect(await page.getByText(letters.name).count()).toBe(0)
  })
  expect((await server.call(`/westerncontent/${letters.slug}`)).status).toBe(451)

  // Its link cannot be put back by the form, nor in any other way (tests/http/removal.test.ts).
  const spelt = 'http://FILES.example/works/%6Cetters.zip?utm_source=x'
  await asAdministrator(
    ada,
    async (page) => {
      await page.goto('/admin/settings?tab=western')
      const form = page.getByRole('region', { name: /New entry/ })
      await page.getByRole('button', { name: 'Add New Content' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Once more')
      await form.getByLabel('Category').selectOption('Literature')
      await page.getByLabel('Mega', { exact: true }).fill(spelt)
      await page.getByLabel('Basis').selectOption('public_domain')
      await page.getByLabel('Evidence', { exact: true }).fill('Its author died in 1900.')
      await page.getByLabel('They permit downloads').check()
      await page.getByLabel('People').selectOption('none')
      const answer = page.waitForResponse((each) => each.request().method() === 'POST')
      await form.getByRole('button', { name: 'Publish' }).click()
      expect((await answer).status()).toBe(422)
      await form.getByText('leads to a file that was removed from this site').first().waitFor()
    },
    [/status of 422/],
  )
  // Nor does what was scheduled before appear on its day.
  const itemsNow = await server.app.db.selectFrom('items').select(['name', 'status']).orderBy('no').execute()
  expect(itemsNow).toEqual([
    { name: letters.name, status: 'removed' },
    { name: copy.name, status: 'restricted' },
    { name: 'A quiet neighbour', status: 'published' },
  ])

  // The publisher answers, by the link on the private page.
  await asOutsider(async (page) => {
    await page.goto(path)
    await page.locator('main a[href^="/report/counter-notice"]').first().click()
    await expect.poll(() => page.locator('[name="reference"]').inputValue()).toBe(reference)
    await fillIn(page, {
      itemUrls: `${server.app.config.publicUrl}/western/${letters.slug}`,
      explanation: 'It is the translation of 1887.',
      name: 'Oskar Owner',
      address: '2 Quay Street, Whitby',
      phone: '+44 1947 600000',
      email: 'oskar@owner.example',
      perjury: true,
      jurisdiction: true,
      signature: 'Oskar Owner',
    })
    await page.getByRole('button', { name: 'Send counter-notice' }).click()
    await page.getByText('Your counter-notice has arrived.').waitFor()
  })
  await asAdministrator(ben, async (page) => {
    await page.goto('/admin/notices')
    await page.getByRole('link', { name: reference }).click()
    await page.getByText('It is the translation of 1887.').waitFor()
    await page.getByRole('button', { name: 'Accept and forward' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept and forward' }).click()
    await page.getByText('Accepted', { exact: true }).waitFor()
  })
  const forwarded = await waitForEmail(server.app, {
    to: 'clara@lighthouse.example',
    subject: new RegExp(`counter-notice.* ${reference}`),
  })
  expect(forwarded.text).toContain('It is the translation of 1887.')

  // Nothing comes back on the ninth business day, nor before the tenth is over; then it does.
  const { id } = await noticeOf(reference)
  const { received_at: receivedAt } = await server.app.db
    .selectFrom('counter_notices')
    .select('received_at')
    .where('notice_id', '=', id)
    .executeTakeFirstOrThrow()
  const calendar = await businessCalendar(server.app.config)
  const from = receivedAt.getTime()
  let now = Date.now()
  for (const [day, minutesLater, status] of [
    [9, -60, 451],
    [10, -60, 451],
    [10, 60, 200],
  ] as const) {
    const then = endOfBusinessDay(from, day, calendar) + minutesLater * 60_000
    await ageNotice(server.app, { id }, `${Math.round((then - now) / 1000)} seconds`)
    now = then
    await workOnClocks(server.app)
    expect([day, minutesLater, await statusOf(letters)]).toEqual([day, minutesLater, status])
  }
  await asOutsider(async (page) => {
    expect((await page.goto(`/western/${letters.slug}`))?.status()).toBe(200)
    await page.getByRole('heading', { name: letters.name, level: 1 }).waitFor()
    await page.goto('/western?search=lighthouse')
    await page.getByText(letters.name).first().waitFor()
  })
  await waitForEmail(server.app, {
    to: 'oskar@owner.example',
    subject: new RegExp(`after your counter-notice to ${reference}`),
  })
})
