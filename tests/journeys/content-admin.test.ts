import type { Page } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { holdRequests, visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

const form = (page: Page) => page.getByRole('region', { name: /New entry|The Tale|Walden/ })
const name = (page: Page) => page.getByLabel('Name', { exact: true })
const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })
const press = (page: Page, label: string) => form(page).getByRole('button', { name: label, exact: true }).click()

/** Waits until the row of an entry is there, and edits it. */
async function edit(page: Page, text: string): Promise<void> {
  await rowOf(page, text).getByRole('button', { name: /^Edit/ }).click()
  await expect.poll(() => name(page).inputValue()).toBe(text)
}

async function askToDelete(page: Page, text: string) {
  await rowOf(page, text)
    .getByRole('button', { name: /^Delete/ })
    .click()
  return page.getByRole('dialog').getByRole('button', { name: 'Delete' })
}

test('An administrator drafts an entry, is refused for missing rights, adds them and a cover, previews it, publishes it, and deletes it', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ theme: 'light', expects: [/status of 422/] }, async (tab) => {
    const focused = () => tab.evaluate(() => document.activeElement?.getAttribute('name'))
    await remember(tab, server, admin)
    await tab.goto('/admin/settings?tab=western')
    await tab.getByText('No content found', { exact: true }).waitFor()
    expect(await tab.title()).toMatch(/^Content/)

    await tab.getByRole('button', { name: 'Add New Content' }).click()
    await press(tab, 'Save draft')
    await tab.getByText('Not saved: 3 problems.').waitFor()
    await expect.poll(focused).toBe('name')
    // Published, it lacks more, and all of that is told with it.
    await press(tab, 'Publish')
    await tab.getByText('Not saved: 7 problems.').waitFor()
    expect(await tab.getByText('This field is required.').count()).toBe(3)
    await name(tab).fill('The Tale of Genji')
    await form(tab).getByLabel('Category').selectOption('Literature')
    await tab.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/genji')
    await expectAccessible(tab)

    // Another tab has a form of its own, which says where the first one waits.
    const kept = tab.getByText("Your draft of a new entry under 'Western' is kept there.")
    await tab.getByRole('button', { name: 'Asian', exact: true }).click()
    await kept.waitFor()
    await expect.poll(() => name(tab).inputValue()).toBe('')
    await tab.goBack()
    await kept.waitFor({ state: 'detached' })
    // A draft survives a reload, and what is typed then is saved.
    await tab.reload()
    await tab.getByText('Your unsaved changes are back.').waitFor()
    await expect.poll(() => name(tab).inputValue()).toBe('The Tale of Genji')
    await tab.getByLabel('Licence').fill('CC0-1.0')
    await press(tab, 'Save draft')
    await tab.getByText('Saved as a draft.').waitFor()
    await rowOf(tab, 'No rights basis is recorded.').waitFor()
    expect(
      await server.app.db.selectFrom('items').select(['name', 'rights_licence']).executeTakeFirstOrThrow(),
    ).toEqual({ name: 'The Tale of Genji', rights_licence: 'CC0-1.0' })

    await press(tab, 'Publish')
    await tab.getByText('Not saved: 4 problems.').waitFor()
    await tab.getByText('No rights basis is recorded. Record on which basis the work may be distributed.').waitFor()
    await expect.poll(focused).toBe('rights.basis')
    await expectAccessible(tab)
    await tab.getByLabel('Basis').selectOption('public_domain')
    await tab.getByLabel('Evidence', { exact: true }).fill('Its author died about 1014.')
    await tab.getByLabel('They permit downloads').check()
    await tab.getByLabel('People').selectOption('none')
    await tab
      .getByLabel('Add a file')
      .setInputFiles({ name: 'Opinion.txt', mimeType: 'text/plain', buffer: Buffer.from('Free.') })
    await tab.getByText('Opinion.txt is stored.').waitFor()
    await giveCover(tab)

    // For a day ahead it is scheduled, which is told and not yet live.
    await tab.getByLabel('Post date').fill('2099-05-01')
    await expect.poll(() => form(tab).getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await press(tab, 'Schedule')
    await tab.getByText('Saved. Scheduled for May 1, 2099.').waitFor()
    await preview(tab)
    await tab.getByLabel('Post date').fill('2024-05-01')
    await press(tab, 'Save')
    await tab.getByText('Saved and published.').waitFor()
    await expect.poll(() => rowOf(tab, 'No rights basis').count()).toBe(0)
    await tab.getByRole('link', { name: 'See it on the site' }).click()
    await tab.getByRole('heading', { name: 'The Tale of Genji', level: 1 }).waitFor()
    expect(await tab.getByRole('img', { name: 'Cover of The Tale of Genji' }).getAttribute('src')).toMatch(
      /^\/covers\/[0-9a-f]{32}\/320\.webp$/,
    )
  })

  await visit({ width: 320, theme: 'dark' }, async (phone) => {
    await remember(phone, server, admin)
    await phone.goto('/admin/settings?tab=western')
    await edit(phone, 'The Tale of Genji')
    await phone.getByText('Opinion.txt').waitFor()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(phone)
    await phone.getByRole('button', { name: 'Remove the cover' }).click()
    await phone.getByText('The cover was removed.').waitFor()
    await phone.goBack()
    const confirm = await askToDelete(phone, 'The Tale of Genji')
    await phone.getByText('Are you sure you want to delete this content?').waitFor()
    await expectAccessible(phone)
    await confirm.click()
    await phone.getByText('No content found', { exact: true }).waitFor()
  })
})

/** Text that is typed meanwhile stays. */
async function giveCover(page: Page): Promise<void> {
  const picture = await sharp({ create: { width: 600, height: 900, channels: 3, background: '#2b5a6b' } })
    .jpeg()
    .toBuffer()
  const cover = page.getByRole('group', { name: 'Cover' })
  await cover.getByText('Drawn, while there is no picture').waitFor()
  const choose = (file: string, buffer: Buffer): Promise<void> =>
    cover.locator('input[type=file]').setInputFiles({ name: file, mimeType: 'image/jpeg', buffer })
  await choose('a.jpg', Buffer.from('no picture'))
  await cover.getByText('This is no JPEG, PNG or WebP picture.').waitFor()
  await choose('b.jpg', Buffer.alloc(10 * 1024 * 1024 + 1))
  await cover.getByText('The picture is larger than 10 MB.').waitFor()
  // Nothing is saved while it is sent: of two calls with one version, the later would be refused.
  const stored = Promise.withResolvers<void>()
  await page.route('**/cover?*', (route) => stored.promise.then(() => route.continue()))
  await choose('genji.jpg', picture)
  await page.locator('.work-steps button[type=submit][aria-disabled=true]').waitFor()
  stored.resolve()
  await cover.getByText('The cover is stored.').waitFor()
  await page.locator('.work-steps button[type=submit][aria-disabled=false]').waitFor()
  const shown = cover.getByRole('img', { name: 'Cover of The Tale of Genji' })
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(600)
  await expect.poll(() => page.getByLabel('Evidence', { exact: true }).inputValue()).toBe('Its author died about 1014.')
}

/** The entry as visitors and VIPs would see it, in a tab of its own, where nothing can be done. */
async function preview(page: Page): Promise<void> {
  const sent: string[] = []
  page.context().on('request', (request) => {
    // A visit of the site is noted on any page of a member.
    if (request.method() !== 'GET' && !request.url().endsWith('/account/visit')) sent.push(request.url())
  })
  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'View as visitor' }).click()
  const tab = await opening
  await tab.getByRole('heading', { name: 'The Tale of Genji', level: 1 }).waitFor()
  expect(await tab.title()).toMatch(/^Preview/)
  await tab.getByText('Opens after a 5-second wait').first().waitFor()
  await tab.getByRole('heading', { name: 'Upgrade to VIP' }).waitFor()
  await expectAccessible(tab)
  const address = new URL(tab.url()).pathname
  await tab.getByRole('button', { name: 'Save', exact: true }).click()
  await tab
    .getByRole('button', { name: /^Report a dead link/ })
    .first()
    .click()
  await tab.getByRole('link', { name: 'Report this entry' }).click()
  expect(new URL(tab.url()).pathname).toBe(address)
  await tab.getByRole('link', { name: 'As VIP' }).click()
  await tab.getByText('Direct link for VIPs').first().waitFor()
  expect(await tab.getByRole('heading', { name: 'Upgrade to VIP' }).count()).toBe(0)
  const download = tab.getByRole('link', { name: /^Download from/ }).first()
  expect(await download.getAttribute('href')).toBe('https://mega.nz/file/genji')
  expect(sent).toEqual([])
  await expectAccessible(tab)
  await tab.close()
}

test('Two administrators work on one entry: neither overwrites the other, no withdrawal is undone, and nothing typed is lost', async () => {
  await someItems(server.app, [
    { name: 'Erewhon', category: 'Literature' },
    { name: 'New Atlantis', category: 'Literature' },
  ])
  const [mine, theirs] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app, { isAdmin: true })]
  const stored = () =>
    server.app.db
      .selectFrom('consent_records as c')
      .innerJoin('items as i', 'i.id', 'c.item_id')
      .select(['i.name', 'i.status', 'i.rights_licence as licence', 'c.withdrawn_at', 'c.evidence'])
      .where('i.slug', '=', 'walden')
      .executeTakeFirstOrThrow()
  const overtaken = 'Somebody else has saved this entry in the meantime'
  await visit({ theme: 'dark', width: 320, expects: [/status of 4(01|04|09|22)/] }, async (page) => {
    const settle = (label: string) => page.getByRole('button', { name: label, exact: true }).click()
    await remember(page, server, mine)
    await page.goto('/admin/settings?tab=western&edit=new')
    await name(page).fill('Walden')
    await form(page).getByLabel('Category').selectOption('Literature')
    await page.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/walden')
    await page.getByLabel('Basis').selectOption('public_domain')
    await page.getByLabel('Evidence', { exact: true }).fill('Its author died in 1862.')
    await page.getByLabel('They permit downloads').check()
    await page.getByLabel('People').selectOption('identifiable')
    await page.getByRole('button', { name: 'Add a person' }).click()
    await page.getByLabel('Pseudonym').fill('The sitter')
    await page.getByLabel('Evidence of the consent').fill('To be asked for.')
    await page.getByLabel('Adult at production').selectOption('yes')
    await page.getByLabel('Agreed to publication').check()
    await page.getByLabel('Agreed to downloads').check()
    // Text typed in a new consent while it is saved stays, and so does the focus; the next save changes that consent.
    const held = await holdRequests(page, '**/westerncontent')
    await press(page, 'Save draft')
    await held.arrived(1)
    const evidence = page.getByLabel('Evidence of the consent')
    await evidence.fill('A form')
    held.release()
    await page.getByText('Saved as a draft.').waitFor()
    await page.keyboard.type(' of 2020.')
    await expect.poll(() => evidence.inputValue()).toBe('A form of 2020.')
    await press(page, 'Publish')
    await page.getByText('Saved and published.').waitFor()
    await expect.poll(stored).toMatchObject({ evidence: 'A form of 2020.' })

    await visit({}, async (other) => {
      await remember(other, server, theirs)
      await other.goto('/admin/settings?tab=western')
      const saveTheirs = async (): Promise<void> => {
        await press(other, 'Save')
        await other.getByText('Saved and published.').waitFor()
      }
      const remove = async (text: string): Promise<void> => {
        await (await askToDelete(other, text)).click()
        await rowOf(other, text).waitFor({ state: 'detached' })
      }

      // Both have changed it: the second chooses field by field.
      await edit(other, 'Walden')
      await name(page).fill('Walden; or, Life in the Woods')
      await page.getByLabel('Holder').fill('Nobody')
      await name(other).fill('Walden, 1854')
      await other.getByLabel('Licence').fill('CC0-1.0')
      await saveTheirs()
      await press(page, 'Save')
      await page.getByRole('heading', { name: overtaken }).waitFor()
      const field = (text: string) => page.getByRole('group', { name: text, exact: true })
      expect(await field('Name').getByLabel('Keep mine').isChecked()).toBe(true)
      expect(await field('Licence').getByLabel('Take theirs').isChecked()).toBe(true)
      await expectAccessible(page)
      await field('Name').getByLabel('Take theirs').check()
      await settle('Save with these choices')
      await page.getByText('Saved and published.').waitFor()
      await expect.poll(stored).toMatchObject({ name: 'Walden, 1854', licence: 'CC0-1.0' })

      // A withdrawal is noted: neither the way back to the form nor a reload makes an edit of before forget that.
      await other.reload()
      await other.getByRole('button', { name: 'Record a withdrawal' }).click()
      await expectAccessible(other)
      await other.getByRole('dialog').getByRole('button', { name: 'Record it' }).click()
      await other.getByText('A consent was withdrawn, or has ended.').first().waitFor()
      await page.getByLabel('Evidence of the consent').fill('Another form.')
      await press(page, 'Save')
      await page.getByRole('heading', { name: overtaken }).waitFor()
      await settle('Back to the form')
      await page.reload()
      await page.getByText('Your unsaved changes are back.').waitFor()
      await press(page, 'Publish')
      await page.getByRole('heading', { name: overtaken }).waitFor()
      await settle('Save with these choices')
      await page
        .getByText(/The sitter withdrew the consent on/)
        .first()
        .waitFor()
      expect(await stored()).toMatchObject({ status: 'restricted', evidence: 'A form of 2020.' })
      expect((await stored()).withdrawn_at).not.toBeNull()
      await page.getByRole('button', { name: 'Record a new consent' }).click()
      await page.getByLabel('Evidence of the new consent').fill('A form of this year.')
      await page.getByRole('dialog').getByRole('button', { name: 'Record it' }).click()
      await page.getByRole('button', { name: 'Record a withdrawal' }).waitFor()
      // A restricted entry can be worked on as a draft.
      await press(page, 'Make it a draft')
      await page.getByText('Saved as a draft.').waitFor()
      expect(await stored()).toMatchObject({ status: 'draft' })
      await press(page, 'Publish')
      await page.getByText('Saved and published.').waitFor()
      expect(await stored()).toMatchObject({
        status: 'published',
        evidence: 'A form of this year.',
        withdrawn_at: null,
      })

      // Taken off the site after another save, it is taken off, and not published.
      await other.reload()
      await other.getByLabel('Licence').fill('CC-BY-4.0')
      await saveTheirs()
      await press(page, 'Unpublish')
      await press(page, 'Take it off the site?')
      await page.getByRole('heading', { name: overtaken }).waitFor()
      // It asks anew for what waits: that call is not to be the first to hear that the session has ended.
      const waiting = page.waitForResponse('**/api/admin/waiting')
      await settle('Take it off the site')
      await page.getByText('Saved as a draft.').waitFor()
      expect(await stored()).toMatchObject({ status: 'draft' })
      await waiting

      // A member who is signed out in the midst of an edit signs in again, and finds their draft.
      await name(page).fill('Walden, once more')
      await server.app.db.deleteFrom('sessions').where('user_id', '=', mine.id).execute()
      await press(page, 'Save draft')
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await page.getByLabel('Email').fill(mine.email)
      await page.getByLabel('Password', { exact: true }).fill(mine.password)
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Your unsaved changes are back.').waitFor()

      // An entry that the other one deletes can become a new one, with all that was typed; or it is thrown away.
      await other.getByRole('button', { name: 'Close', exact: true }).click()
      await remove('Walden, 1854')
      const deleted = page.getByText('Somebody has deleted this entry. Your text is still here')
      await press(page, 'Save draft')
      await deleted.waitFor()
      await expectAccessible(page)
      await page.reload()
      await deleted.waitFor()
      await expect.poll(() => name(page).inputValue()).toBe('Walden, once more')
      await settle('Save as a new entry')
      await page.getByText('Saved as a draft.').waitFor()
      await settle('Close')
      await edit(page, 'Erewhon')
      await name(page).fill('Nowhere')
      await remove('Erewhon')
      await settle('Save')
      await deleted.waitFor()
      await settle('Discard')
      await page.getByRole('region', { name: 'A deleted entry' }).waitFor({ state: 'detached' })
      expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft ')))).toEqual([])

      // The second of two who delete an entry finds it done.
      await remove('New Atlantis')
      await (await askToDelete(page, 'New Atlantis')).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await rowOf(page, 'New Atlantis').waitFor({ state: 'detached' })
    })
  })
  const left = await server.app.db.selectFrom('items').select(['name', 'status']).execute()
  expect(left).toEqual([{ name: 'Walden, once more', status: 'draft' }])
})
