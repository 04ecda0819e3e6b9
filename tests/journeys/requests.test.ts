import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { holdRequests, visitsOfFile } from '../harness/browser.ts'
import { waitForEmail } from '../harness/emails.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, post, remember, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString()

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(server.app, [
    { name: 'The Moonstone' },
    { name: 'The Woman in White' },
    { name: 'No Name', postDate: inThreeDays },
  ])
})

test('Two members wish for the same work, an administrator approves it and links its entry, and both are mailed', async () => {
  const author = await aMember(server.app, { name: 'Ada Author' })
  const voter = await aMember(server.app, { name: 'Vera Voter' })
  const admin = await aMember(server.app, { isAdmin: true })

  // A search that finds nothing leads to the wish.
  await visit({ width: 320, theme: 'dark' }, async (page) => {
    await page.goto('/western?search=armadale')
    await page.getByRole('link', { name: 'Ask for it' }).click()
    await page.getByRole('link', { name: 'Sign in to ask' }).waitFor()
    expect(await page.getByRole('link', { name: 'Sign in to ask' }).getAttribute('href')).toBe(
      `/login?next=${encodeURIComponent('/requests?title=armadale')}`,
    )
    await expectAccessible(page)
  })

  await visit({ theme: 'light', expects: [/422/] }, async (page) => {
    await remember(page, server, author)
    await page.goto('/requests?title=Armadale')
    await page.getByText('No requests found.').waitFor()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Armadale')
    await page.getByLabel('Description').fill('By Wilkie Collins, 1866.')
    // Nothing typed is lost by a reload.
    await page.getByLabel('Title').fill('Armadale, a novel')
    await page.reload()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Armadale, a novel')
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('By Wilkie Collins, 1866.')
    // Pasted text is not cut: the field says how long it is.
    await page.getByLabel('Title').fill('x'.repeat(130))
    await page.getByText('The title has at most 120 characters. It has 130 now.').waitFor()
    await page.getByLabel('Title').fill('Armadale at elsewhere.com')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('The title holds a web address.').waitFor()
    await page.getByLabel('Title').fill('Armadale')
    await page.getByRole('button', { name: 'Send request' }).dblclick()
    await page.getByText('Your request was sent.').waitFor()
    await page.getByRole('heading', { name: 'Your requests' }).waitFor()
    await expect.poll(() => page.getByText('1 vote ·').count()).toBe(1)
    await page.getByText('Pending').waitFor()
    await expectAccessible(page)
  })

  await visit({ width: 320, theme: 'light' }, async (page) => {
    await remember(page, server, voter)
    await page.goto('/requests')
    await page.getByRole('heading', { name: 'Armadale' }).waitFor()
    await page.getByLabel('Title').fill('moonstone')
    const here = page.getByRole('region', { name: 'Is it here already?' })
    expect(await here.getByRole('link').getAttribute('href')).toBe('/western/the-moonstone')
    await page.getByLabel('Title').fill('')
    await here.waitFor({ state: 'detached' })
    await page.getByLabel('Title').pressSequentially('armadal')
    await page.getByRole('button', { name: /^Vote for this one/ }).click()
    await page.getByText('You have voted for "Armadale".').waitFor()
    await page.getByRole('region', { name: 'Has somebody already asked for this?' }).getByText('2 votes').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })

  await visit({ theme: 'dark', expects: [/503/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/requests')
    const row = page.getByRole('region', { name: 'Requests' }).locator('tbody tr')
    await row.filter({ hasText: 'By Wilkie Collins, 1866.' }).waitFor()
    expect(await page.title()).toMatch(/^Content Requests/)
    expect(await row.getByRole('link', { name: 'Ada Author' }).getAttribute('href')).toBe(`/admin/people/${author.id}`)
    const approve = row.getByRole('button', { name: 'Approve' })
    const undo = row.getByRole('button', { name: 'Undo' })
    const choose = async (name: string): Promise<void> => {
      await row.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    // A failure is told in the server's sentence, and the row stays.
    const failing = await holdRequests(page, /approve$/)
    failing.release({ status: 503, json: { message: 'The database is away. Try again.' } })
    await approve.click()
    await page.getByText('The database is away. Try again.').waitFor()
    await expect.poll(() => approve.isEnabled()).toBe(true)
    await page.unroute(/approve$/)
    await approve.dblclick()
    await row.filter({ hasText: 'Approved' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.notice-failed').count()).toBe(0)
    expect(await approve.count()).toBe(0)
    await expectAccessible(page)
    // One next step, and the decision can be taken back.
    await undo.click()
    await row.filter({ hasText: 'Pending' }).waitFor()
    await expect.poll(() => undo.count()).toBe(0)
    await row.getByRole('button', { name: 'More' }).click()
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Reject', 'Take down'])
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await approve.click()
    await row.filter({ hasText: 'Approved' }).waitFor()
    await choose('Link to an entry')
    const dialog = page.getByRole('dialog')
    // A scheduled entry tells its day, and leads to its form until then.
    await dialog.getByLabel('Search entries by name').fill('no name')
    await dialog.getByRole('radio', { name: /No Name.*opens on [A-Z][a-z]+ \d+/ }).check()
    await dialog.getByRole('button', { name: /^Link, and tell them on [A-Z][a-z]+ \d+/ }).click()
    await row.getByText(/Fulfilled by No Name on [A-Z][a-z]+ \d+/).waitFor()
    expect(await row.getByRole('link', { name: 'No Name' }).getAttribute('href')).toMatch(/^\/admin\/settings\?edit=/)
    await choose('Change the entry')
    await dialog.getByLabel('Search entries by name').fill('moonstone')
    await dialog.getByRole('radio', { name: /The Moonstone/ }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Link and tell them' }).click()
    await row.getByRole('link', { name: 'The Moonstone' }).waitFor()
    await choose('Change the entry')
    await dialog.getByLabel('Search entries by name').fill('mooonstone')
    await dialog
      .getByRole('group', { name: 'Names that come near' })
      .getByRole('radio', { name: /Moonstone/ })
      .waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByLabel('Status').selectOption('pending')
    await page.getByText('No requests found.').waitFor()
    expect(new URL(page.url()).search).toBe('?status=pending')
    const hopeful = bearer(await signIn(server, await aMember(server.app)))
    await post(server, '/recommendations', { title: 'A novel of the year 3000' }, hopeful)
    await page.reload()
    await choose('Reject')
    // The row stays, so that one sees what was done.
    await row.filter({ hasText: 'A novel of the year 3000' }).filter({ hasText: 'Rejected' }).waitFor()
    expect(await approve.count()).toBe(0)
    await page.getByLabel('Status').selectOption('rejected')
    await expect.poll(() => new URL(page.url()).search).toBe('?status=rejected')
    await row.filter({ hasText: 'A novel of the year 3000' }).waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })

  for (const [{ email }, subject] of [
    [author, 'Your request was fulfilled: Armadale'],
    [voter, 'A request you voted for was fulfilled: Armadale'],
  ] as const) {
    const mail = await waitForEmail(server.app, { to: email, subject })
    expect(mail.links).toContain(`${server.app.config.publicUrl}/western/the-moonstone`)
  }
  await visit({}, async (page) => {
    await remember(page, server, author)
    await page.goto('/requests')
    await page.getByText('Fulfilled', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'The Moonstone' }).click()
    await page.getByRole('heading', { name: 'The Moonstone' }).waitFor()
  })

  // A request that should not be read by anybody goes, whatever was decided; so do those that a deleted account has left.
  const leaver = await aMember(server.app)
  const left = bearer(await signIn(server, leaver))
  for (const title of ['Spam one', 'Spam two', 'Spam three', 'Spam four'])
    await post(server, '/recommendations', { title }, left)
  await server.app.db.deleteFrom('users').where('id', '=', leaver.id).execute()
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/requests')
    await page.getByRole('button', { name: /^More.*Armadale/ }).click()
    await page.getByRole('menuitem', { name: 'Take down' }).click()
    const one = page.getByRole('dialog', { name: 'Take the request down' })
    await expectAccessible(page)
    await one.getByRole('button', { name: 'Take it down' }).click()
    await page.getByText('Taken down, was fulfilled by').waitFor()
    // The focus stays at what was done.
    await page.locator('td:focus', { hasText: 'Armadale' }).waitFor()
    expect(await page.getByRole('button', { name: /^More.*Armadale/ }).count()).toBe(0)

    await page.getByLabel('Asked by').selectOption({ label: 'Deleted accounts' })
    await page.getByLabel('Select all 4 shown').check()
    await page.getByLabel('Select Spam three').uncheck()
    await page.getByLabel('Select Spam four').uncheck()
    await page.getByRole('button', { name: 'Reject 2 requests' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject them' }).click()
    await page.getByText('2 requests are rejected.').waitFor()
    await page.getByText('Asked by a deleted account').first().waitFor()
    await page.getByLabel('Select all 4 shown').check()
    await page.getByLabel('Select Spam one').uncheck()
    await page.getByRole('button', { name: 'Take down 3 requests' }).waitFor()
    await page.getByLabel('Select Spam one').check()
    await page.getByRole('button', { name: 'Take down 4 requests' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take down 4 requests' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Take them down' }).click()
    await page.getByText('4 requests are taken down.').waitFor()
    await page.locator('td:focus').waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await page.reload()
    await page.getByText('No requests found.').waitFor()
    expect(new URL(page.url()).search).toBe('?author=none')
  })
  await visit({}, async (page) => {
    await remember(page, server, author)
    await page.goto('/requests')
    await page.getByText('No requests found.').waitFor()
    expect(await page.getByText('Armadale').count()).toBe(0)
  })
})
