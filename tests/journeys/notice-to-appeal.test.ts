import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workOnClocks } from '../../src/features/notices/desk/work-on-clocks.server.ts'
import { endOfBusinessDay } from '../../src/features/notices/notice/business-days.ts'
import { businessCalendar } from '../../src/features/notices/notice/holidays.server.ts'
import { openBrowser, visitAs, type VisitorOptions } from '../harness/browser.ts'
import { waitForEmail } from '../harness/emails.ts'
import { anItem, type MadeItem, someItems } from '../harness/items.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { ageNotice } from '../harness/notices.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/* One notice from its sender to what becomes of it, with a browser for everybody who has a part in it. */

let server: TestServer
let browser: Browser
/** Who decides, and who answers the appeal. */
let ada: MadeMember
let ben: MadeMember

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    openTestServer({ now: new Date().toISOString(), jobs: true, env: { CONTACT_EMAIL: 'desk@library.example' } }),
    openBrowser(),
  ])
  ada = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
  ben = await aMember(server.app, { name: 'Ben Second', isAdmin: true })
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const visit = (overrides: VisitorOptions, story: (page: Page) => Promise<void>): Promise<void> =>
  visitAs(browser, server.url, { theme: 'light', ...overrides }, story)
const asOutsider = (story: (page: Page) => Promise<void>): Promise<void> =>
  visitAs(browser, server.url, { hasScripts: false, expects: [/status of 4(04|22|51)/] }, story)
const asAdministrator = (member: MadeMember, story: (page: Page) => Promise<void>, expects: RegExp[] = []) =>
  visit({ expects }, async (page) => {
    await remember(page, server, member)
    await story(page)
  })

const told = (page: Page, sentence: string) => page.getByRole('status').getByText(sentence, { exact: true }).waitFor()
const statusOf = async ({ slug }: Pick<MadeItem, 'slug'>): Promise<number> =>
  (await server.request(`/western/${slug}`)).status
/** What the private page of a sender is called, by the email that they got. */
async function privatePage(email: string): Promise<{ path: string; reference: string }> {
  const mail = await waitForEmail(server.app, { to: email, subject: /^Your notice N-/ })
  const path = new URL(mail.links.find((link) => link.includes('/report/track/')) ?? '').pathname
  return { path, reference: mail.subject.replace('Your notice ', '') }
}
const noticeOf = (reference: string) =>
  server.app.db.selectFrom('notices').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

async function fillDecision(page: Page, outcome: string): Promise<void> {
  await page.getByLabel(outcome, { exact: true }).check()
  await page.getByLabel('Illegal', { exact: true }).check()
  await page.getByLabel('The law', { exact: true }).fill('17 U.S.C. § 512(c)')
  await page.getByLabel('Facts').fill('The text is that of the translation of 1987.')
  await page.getByLabel('Explanation').fill('That translation is protected.')
}

/** Sends an incomplete copyright notice without JavaScript, and completes it on its private page. */
async function report(item: MadeItem, email: string): Promise<string> {
  let reference = ''
  await asOutsider(async (page) => {
    await page.goto(`/western/${item.slug}`)
    await page.getByRole('link', { name: 'Report this entry' }).click()
    await page.getByRole('link', { name: 'Copyright', exact: true }).click()
    await page.getByLabel('The work that is yours').fill('My translation of 1987.')
    await page.getByLabel('Your full name').fill('Clara Claimant')
    await page.getByLabel('Your email address').fill(email)
    await page.getByRole('button', { name: 'Send it as it is' }).click()
    await page.getByText('Something that the law asks for is missing.').waitFor()

    const own = await privatePage(email)
    ;({ reference } = own)
    await page.goto(own.path)
    await page.getByLabel('Your postal address').fill('1 Harbour Road, Portsmouth')
    await page.getByLabel('Your telephone number').fill('+44 23 9200 0000')
    for (const statement of [
      /^I believe in good faith/,
      /^The information in this notice/,
      /^Under penalty of perjury/,
    ])
      await page.getByLabel(statement).check()
    await page.getByLabel('Your signature').fill('Clara Claimant')
    await page.getByRole('button', { name: 'Add to my notice' }).click()
    await page.getByRole('heading', { name: 'We have it, and it waits for its turn' }).waitFor()
  })
  // Complete, it hides nothing by itself.
  expect(await statusOf(item)).toBe(200)
  expect(await noticeOf(reference)).toMatchObject({ status: 'received' })
  return reference
}

/** Removes the one entry of a notice by the form of the desk. */
async function removeBy(member: MadeMember, reference: string, receiver: string): Promise<void> {
  await asAdministrator(member, async (page) => {
    await page.goto('/admin/notices')
    await page.getByRole('link', { name: reference }).click()
    await page.getByRole('button', { name: 'Decide', exact: true }).click()
    await fillDecision(page, 'Remove')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.locator('.desk-form').filter({ hasText: 'Before it goes' })
    await preview.getByText(receiver).first().waitFor()
    await page.getByRole('button', { name: 'Remove 1 entry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove 1 entry' }).click()
    await told(page, 'The decision was sent.')
  })
}

test('An outsider reports an entry, it is removed everywhere and its link stays out, and a counter-notice brings it back on the tenth business day', async () => {
  const link = 'https://files.example/works/letters.zip'
  const [letters, copy] = (await someItems(server.app, [
    { name: 'Letters from a Lighthouse', link },
    // To appear later, with the same file in another spelling.
    { name: 'Letters for next year', link: 'HTTP://www.files.example:80/works/letters.zip#', postDate: '2999-01-01' },
    { name: 'A quiet neighbour', link: 'https://mega.nz/file/neighbour' },
  ])) as [MadeItem, MadeItem]
  const reference = await report(letters, 'clara@lighthouse.example')
  await removeBy(ada, reference, 'clara@lighthouse.example')

  // The statement of reasons is what was read before.
  const statement = await waitForEmail(server.app, { to: 'clara@lighthouse.example', subject: /^(?!Your notice)/ })
  expect(statement.text).toContain('That translation is protected.')

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

  // Its link cannot be put back: not by the form, not for a day to come, not by a file.
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
      for (const [day, verb] of [
        ['2024-05-01', 'Publish'],
        ['2999-05-01', 'Schedule'],
      ] as const) {
        await page.getByLabel('Post date').fill(day)
        const answer = page.waitForResponse((each) => each.request().method() === 'POST')
        await form.getByRole('button', { name: verb }).click()
        expect((await answer).status()).toBe(422)
        await form.getByText('leads to a file that was removed from this site').first().waitFor()
      }

      await page.goto('/admin/import')
      const head = 'name,category,contentType,link,rightsBasis,evidence,permitsDownload,people'
      const row = `In a file,Literature,western,${spelt},public_domain,Printed in 1890.,true,none`
      await page
        .getByLabel('CSV or JSON lines, at most 200 MB')
        .setInputFiles({ name: 'works.csv', mimeType: 'text/csv', buffer: Buffer.from(`${head}\n${row}\n`) })
      await page.getByRole('button', { name: 'Upload' }).click()
      await page.getByLabel('Publish what may be published.').check()
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByText('1 row: 0 new, 0 changed, 0 unchanged, 1 rejected.').waitFor()
      await page.getByText('leads to a file that was removed from this site').first().waitFor()
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

  // Whoever published it answers, by the link on the private page.
  const { path } = await privatePage('clara@lighthouse.example')
  await asOutsider(async (page) => {
    await page.goto(path)
    await page.getByRole('heading', { name: 'We have decided' }).waitFor()
    await page.getByRole('link', { name: 'Send a counter-notice' }).click()
    expect(await page.getByLabel('The reference of the notice').inputValue()).toBe(reference)
    await page
      .getByLabel('The address at which it stood')
      .fill(`${server.app.config.publicUrl}/western/${letters.slug}`)
    await page.getByLabel('Why it was removed by mistake').fill('It is the translation of 1887.')
    await page.getByLabel('Your full name').fill('Oskar Owner')
    await page.getByLabel('Your postal address').fill('2 Quay Street, Whitby')
    await page.getByLabel('Your telephone number').fill('+44 1947 600000')
    await page.getByLabel('Your email address').fill('oskar@owner.example')
    await page.getByLabel(/^Under penalty of perjury/).check()
    await page.getByLabel(/^I consent to the jurisdiction/).check()
    await page.getByLabel('Your signature').fill('Oskar Owner')
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
    subject: `A counter-notice to your notice ${reference}`,
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
    subject: `Given back after your counter-notice to ${reference}`,
  })
})

test('An outsider reports an intimate image of themselves, and it is gone before they have read the answer', async () => {
  const item = await anItem(server.app, { name: 'A picture by the sea', link: 'https://mega.nz/file/sea' })
  await visit({ theme: 'dark', width: 320, expects: [/status of 404/] }, async (page) => {
    await page.goto(`/western/${item.slug}`)
    await page.getByRole('link', { name: 'Report this entry' }).click()
    await page.getByRole('link', { name: 'An intimate or private image of me' }).click()
    await page.getByLabel('What it shows, in a few words').fill('An image of me, published without my consent.')
    await page.getByLabel('Your telephone number').fill('+44 1947 600001')
    await page.getByLabel(/^I believe in good faith/).check()
    await page.getByLabel('Your signature').fill('Jane Reader')
    expect(await statusOf(item)).toBe(200)
    await page.getByRole('button', { name: 'Send notice' }).click()
    await page.getByText('Your notice has arrived and is complete.').waitFor()
    expect(await statusOf(item)).toBe(404)
    await page.goto('/western')
    await page.getByText('A quiet neighbour').first().waitFor()
    expect(await page.getByText(item.name).count()).toBe(0)
  })
})

test('A sender who disagrees is answered by another administrator than the one who decided', async () => {
  const item = await anItem(server.app, { name: 'A work of two translators', link: 'https://mega.nz/file/two' })
  const reference = await report(item, 'carl@authors.example')
  await asAdministrator(ada, async (page) => {
    await page.goto(`/admin/notices/${reference}`)
    await page.getByRole('button', { name: 'Decide', exact: true }).click()
    await fillDecision(page, 'Keep')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Keep 1 entry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep 1 entry' }).click()
    await told(page, 'The decision was sent.')
  })
  const { path } = await privatePage('carl@authors.example')
  await asOutsider(async (page) => {
    await page.goto(path)
    await page.getByLabel('Why you disagree').fill('The second translator is I.')
    await page.getByRole('button', { name: 'Ask for another look' }).click()
    await page.getByText(/^We have your objection\./).waitFor()
  })
  await asAdministrator(ada, async (page) => {
    await page.goto(`/admin/notices/${reference}`)
    await page.getByText('The second translator is I.').first().waitFor()
    await page.getByText(/^You made the decision that this appeal is against/).waitFor()
    expect(await page.getByRole('button', { name: 'Send the answer' }).count()).toBe(0)
  })
  await asAdministrator(ben, async (page) => {
    await page.goto('/admin/notices')
    await page.getByRole('link', { name: reference }).click()
    await page.getByText('The second translator is I.').first().waitFor()
    await fillDecision(page, 'The decision is given up')
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send the answer' }).click()
    await told(page, 'The appeal was answered.')
  })
  expect(await statusOf(item)).toBe(451)
  await asOutsider(async (page) => {
    await page.goto(path)
    await page.getByText('We replaced that decision with a new one.').waitFor()
  })
})
