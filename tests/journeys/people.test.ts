import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { setSafetyOfficerByOperator } from '../../src/features/accounts/administrators/safety-officer.server.ts'
import { recordAuditEvent } from '../../src/features/office/audit/record-audit-event.server.ts'
import { expectAccessible } from '../harness/axe.ts'
import { drainJobs } from '../harness/drain.ts'
import { ageProof, aMember, post, remember, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

// Nothing is done by the clock here: the invitations wait until they are stopped.
const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

test('An administrator imports members and stops the invitations of a wrong file, shares the work with another, and erases a third on request', async () => {
  const { app } = server
  const admin = await aMember(app, { isAdmin: true, name: 'Ada Keeper' })
  const helper = await aMember(app, { name: 'Hedy Helper' })
  const leaving = await aMember(app, { name: 'Leo Leaving', email: 'leo@readers.example' })
  await signIn(server, leaving)
  server.clock.advance(60_000)
  await signIn(server, helper)

  await visit({ theme: 'dark', expects: [/403|409|429/] }, async (page) => {
    await remember(page, server, admin)
    const dialog = page.getByRole('dialog')
    const press = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()
    const proof = page.getByRole('dialog', { name: "Confirm it's you" })
    const unproved = page.getByText('Your password was not confirmed, so nothing was done. Please try again.')
    const confirm = async (): Promise<void> => {
      await proof.getByLabel('Current password', { exact: true }).fill(admin.password)
      await proof.getByLabel('Current password', { exact: true }).press('Enter')
    }

    await page.goto('/admin/people/import')
    const rows = ['email,name,createdAt,vipUntil', 'new@readers.example,Nell New,2020-01-01,', 'no address,Bad,,']
    const file = [...rows, 'wrong@readers.example,Wilma Wrong,,', ''].join('\n')
    await page
      .getByLabel('File of members')
      .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    // A file is not sent before its sender has confirmed who they are.
    const uploads: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/member-imports')) uploads.push(request.url())
    })
    await ageProof(app, admin, 61)
    await press('Check the file')
    await proof.waitFor()
    await page.keyboard.press('Escape')
    await unproved.waitFor()
    expect(uploads).toEqual([])
    await press('Check the file')
    await confirm()
    await page.getByText('Checked, not imported: 2 new, 1 rejected.').waitFor()
    expect(uploads).toHaveLength(1)
    await page.getByText('Please enter a valid email address').waitFor()
    await expectAccessible(page)
    await press('Import 2 members')
    await dialog.getByRole('button', { name: 'Import 2 members' }).click()
    await dialog.waitFor({ state: 'detached' })
    await drainJobs(app)
    await page.getByText('Imported: 2 imported, 1 rejected.').waitFor()
    await page.getByText('2 invitations wait. 60 are sent each minute.').waitFor()
    // The report goes when nothing waits of it.
    expect(await page.getByRole('button', { name: 'Delete this report' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Stop the invitations' }).press('Enter')
    await dialog.getByText('are not told').waitFor()
    await expectAccessible(page)
    // Escape gives the focus back, and what is pressed at that very moment is not lost: it asks again.
    await dialog.evaluate((element) => element.setAttribute('data-first', ''))
    await page
      .locator('button', { hasText: 'Stop the invitations' })
      .first()
      .evaluate((button: HTMLElement) => {
        button.addEventListener('focus', () => queueMicrotask(() => button.click()), { once: true })
      })
    await page.keyboard.press('Escape')
    await page.locator('dialog[data-first]').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Stop the invitations' }).press('Enter')
    await page.getByText('The invitations were stopped.').waitFor()
    expect(await app.db.selectFrom('member_invitations').selectAll().execute()).toEqual([])
    // Its button has gone: the keyboard goes on at the page.
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('admin-page')
    await page.getByRole('button', { name: 'Delete this report' }).waitFor()

    await page.getByRole('link', { name: 'Back to People' }).click()
    const people = page.getByRole('region', { name: 'People' }).locator('tbody tr')
    // A download waits for the proof, too.
    await ageProof(app, admin, 16)
    await press('Export members')
    const downloaded = page.waitForEvent('download')
    await confirm()
    expect((await downloaded).suggestedFilename()).toMatch(/\.csv$/)
    const [lines] = await Promise.all([page.waitForEvent('download'), press('Export as JSON lines')])
    expect(lines.suggestedFilename()).toMatch(/\.jsonl$/)
    for (const download of [await downloaded, lines])
      expect(await readFile(await download.path(), 'utf8')).toContain('leo@readers.example')
    await page.getByLabel('Role').selectOption('Administrators')
    await expect.poll(() => people.count()).toBe(1)
    await people.filter({ hasText: 'Ada Keeper' }).waitFor()
    await page.getByLabel('Role').selectOption('No administrators')
    await page.getByLabel('Order').selectOption('Last seen first')
    await expect
      .poll(() => people.getByRole('link').allTextContents())
      .toEqual(['Hedy Helper', 'Leo Leaving', 'Wilma Wrong', 'Nell New'])
    await page.getByLabel('Role').selectOption('Everybody')
    await page.getByRole('searchbox').fill('hedy')
    await expect.poll(() => page.locator('.data-table tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'Hedy Helper' }).click()
    await page.getByRole('heading', { name: 'Hedy Helper' }).waitFor()
    await page.getByText('Not VIP: no membership yet.').waitFor()
    expect(await page.title()).toMatch(/^Hedy Helper/)

    // A note that was typed for over an hour stays until they have confirmed; on a small screen, too.
    const note = page.getByLabel('What administrators should know')
    await note.fill('Answers the letters.')
    await page.setViewportSize({ width: 320, height: 640 })
    await ageProof(app, admin, 61)
    await press('Save note')
    await proof.waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    expect((await proof.boundingBox())?.width).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await proof.getByRole('button', { name: 'Cancel' }).click()
    await unproved.waitFor()
    await expect.poll(() => note.inputValue()).toBe('Answers the letters.')
    expect(await app.db.selectFrom('member_notes').select('note').execute()).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })

    // Somebody else was quicker with the note: what was typed stays, beside what they wrote.
    await app.db
      .insertInto('member_notes')
      .values({ user_id: helper.id, note: 'Writes the letters.', version: 1, changed_at: new Date() })
      .execute()
    await press('Save note')
    await confirm()
    await page.getByText(/^Somebody else has changed this note meanwhile/).waitFor()
    await page.getByText('Writes the letters.').waitFor()
    await expect.poll(() => note.inputValue()).toBe('Answers the letters.')
    await press('I have copied what should stay')
    await press('Save note')
    await page.getByText('The note was saved.').waitFor()

    await press('Make an administrator')
    await dialog.getByText('Hedy Helper').waitFor()
    await dialog.getByRole('button', { name: 'Make an administrator' }).click()
    await page.getByText('They are an administrator from their next sign-in on.').waitFor()
    await page.getByText('Not signed in anywhere.').waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)

    await press('Name as safety officer')
    await dialog.getByText(/will see notices about children/).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Name as safety officer' }).click()
    await page.getByText('They are a safety officer now.').waitFor()
    await page.getByText(/Only a safety officer can give up/).waitFor()
    expect(await page.getByRole('button', { name: /away|Stop being|Delete the account/ }).count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await setSafetyOfficerByOperator(app, { email: helper.email, isOfficer: false })
    await page.goto(`/admin/people/${admin.id}`)
    await press('Stop being a safety officer')
    await dialog.getByRole('button', { name: 'Stop being a safety officer' }).click()
    await dialog.getByText('You are the last safety officer. Name another safety officer first.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.goBack()

    await press('Take the administrator role away')
    await dialog.getByRole('button', { name: 'Take the role away' }).click()
    await page.getByText('They are no administrator any more.').waitFor()
    await page.getByRole('button', { name: 'Make an administrator' }).waitFor()

    await page.goto(`/admin/people/${leaving.id}`)
    await press('Sign out everywhere')
    await dialog.getByText('Every device of Leo Leaving').waitFor()
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('1 session has ended.').waitFor()
    await page.getByText('Not signed in anywhere.').waitFor()
    await press('Send a reset link')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('The link was sent. It works for 30 minutes.').waitFor()
    await press('Send a reset link')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('A link was sent to this member less than 10 minutes ago, and it still works.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const [data] = await Promise.all([page.waitForEvent('download'), press('Export their data')])
    expect(await readFile(await data.path(), 'utf8')).toContain('leo@readers.example')
    await press('Delete the account')
    const erase = dialog.getByRole('button', { name: 'Delete the account' })
    expect(await erase.isDisabled()).toBe(true)
    await dialog.getByLabel('Type their email address to confirm').fill('Leo@readers.example')
    await erase.click()
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Nell New' }).waitFor()
    expect(await page.getByRole('link', { name: 'Leo Leaving' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Nell New' }).click()
    await press('Send the invitation again')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('The invitation was sent. It works for 7 days.').waitFor()
  })
})

test('A member who cannot sign in is helped in three steps, and their long trail is read by the keyboard', async () => {
  const { app } = server
  const admin = await aMember(app, { isAdmin: true })
  const member = await aMember(app, { name: 'Lou Locked' })
  const { email, password } = member
  // Each of them is an act of its own.
  for (let i = 0; i < 60; i += 1)
    await app.db.transaction().execute((trx) =>
      recordAuditEvent(trx, {
        action: i % 2 === 0 ? 'member.record_changed' : 'sessions.ended',
        by: { memberId: admin.id },
        subject: { kind: 'member', id: member.id },
      }),
    )
  for (let i = 0; i < 10; i += 1) await post(server, '/auth/login', { email, password: 'a wrong password' })
  expect((await post(server, '/auth/login', { email, password })).status).toBe(429)
  await app.countedEvents.settle()
  await visit({ expects: [/500/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto(`/admin/people?search=${encodeURIComponent('lou locked')}`)
    await page.getByRole('link', { name: 'Lou Locked' }).click()
    await page.getByText(/^They cannot sign in: sign-in is locked until .+, after too many attempts\.$/).waitFor()
    await page.getByText('Refused wrong passwords (10 times), just now').waitFor()
    await page.getByRole('button', { name: 'Unlock sign-in' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click()
    await page.getByText('They can try their password again at once.').waitFor()
    expect((await post(server, '/auth/login', { email, password })).status).toBe(200)
    await page.reload()
    await page.getByText('They can sign in with their password.').waitFor()

    // A part of the trail does not come at first.
    const acts = page.getByRole('region', { name: 'Audit trail' }).locator('.audit-act')
    const inFocus = () => page.evaluate(() => document.activeElement?.textContent)
    const loadMore = page.getByRole('button', { name: 'Load more' })
    await loadMore.waitFor()
    const first = await acts.count()
    await page.route('**/trail?before=*', (call) => call.fulfill({ status: 500, json: { message: 'Not now.' } }), {
      times: 1,
    })
    await loadMore.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Not now.').waitFor()
    await expect.poll(inFocus).toBe('Try again')
    expect(await acts.count()).toBe(first)
    await page.keyboard.press('Enter')
    await expect.poll(() => acts.count()).toBe(first + 25)
    await expect.poll(inFocus).toBe('Load more')
    await page.keyboard.press('Enter')
    await expect.poll(inFocus).toBe('That is the end of the list.')
    expect(await acts.count()).toBeGreaterThan(60)
    await expectAccessible(page)

    // The list has the next step of each, and the rest in a menu.
    await page.goto(`/admin/people?search=${encodeURIComponent('lou locked')}`)
    const row = page.locator('tbody tr')
    const more = row.getByRole('button', { name: /^More.*Lou Locked/ })
    await more.click()
    await page.getByRole('menuitem', { name: 'Send a reset link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Lou Locked: The link was sent. It works for 30 minutes.').waitFor()
    await more.click()
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual(['Send a reset link', 'Open billing', 'Show in the audit log'])
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })
})
