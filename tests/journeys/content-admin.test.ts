import type { Page } from 'playwright'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

const form = (page: Page) => page.getByRole('region', { name: /New entry|The Tale|Walden/ })
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('An administrator drafts an entry, is refused for missing rights, adds them, and it is live', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ theme: 'light', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await page.getByText('No content found', { exact: true }).waitFor()
    expect(await page.title()).toMatch(/^Content/)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Add New Content' }).click()
    await form(page).getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Please fill in all required fields (name, mega link, category)').waitFor()
    await page.getByText('Not saved: 3 problems.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
    // Published, it lacks more, and all of that is told with it.
    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Not saved: 7 problems.').waitFor()
    expect(await page.getByText('This field is required.').count()).toBe(3)
    for (const [label, reason] of [
      ['Basis', 'No rights basis is recorded.'],
      ['Evidence', 'No evidence of the rights is recorded.'],
      ['They permit downloads', 'The rights do not permit downloads.'],
      ['People', 'It is not stated whether people are shown.'],
    ] as const) {
      const field = page.locator('.field').filter({ has: page.getByLabel(label, { exact: true }) })
      await field.getByRole('alert').filter({ hasText: reason }).waitFor()
    }
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
    await page.getByLabel('Name', { exact: true }).fill('The Tale of Genji')
    await form(page).getByLabel('Category').selectOption('Literature')
    await page.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/genji')
    expect(await page.getByLabel('Mega', { exact: true }).getAttribute('type')).toBe('url')
    expect(await page.getByLabel('Post date').getAttribute('type')).toBe('date')
    await expectAccessible(page)

    // Another tab has a form of its own, which says where the first one waits.
    const kept = page.getByText("Your draft of a new entry under 'Western' is kept there.")
    await page.getByRole('button', { name: 'Asian', exact: true }).click()
    await kept.waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    await page.goBack()
    await kept.waitFor({ state: 'detached' })

    // A draft survives a reload.
    await page.reload()
    await page.getByText('Your unsaved changes are back.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('The Tale of Genji')
    // Later text is saved.
    await page.getByLabel('Licence').fill('CC0-1.0')
    await form(page).getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    await rowOf(page, 'No rights basis is recorded.').waitFor()
    expect(
      await server.app.db.selectFrom('items').select(['name', 'rights_licence']).executeTakeFirstOrThrow(),
    ).toEqual({ name: 'The Tale of Genji', rights_licence: 'CC0-1.0' })

    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Not saved: 4 problems.').waitFor()
    await page.getByText('No rights basis is recorded. Record on which basis the work may be distributed.').waitFor()
    await page
      .getByText("It is not stated whether people are shown. Choose 'Shows nobody', 'Shows people who cannot be")
      .waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('rights.basis')
    await expectAccessible(page)
    await page.getByLabel('Basis').selectOption('public_domain')
    await page.getByLabel('Evidence', { exact: true }).fill('Its author died about 1014.')
    await page.getByLabel('They permit downloads').check()
    await page.getByLabel('People').selectOption('none')
    await page
      .getByLabel('Add a file')
      .setInputFiles({ name: 'Opinion.txt', mimeType: 'text/plain', buffer: Buffer.from('Free.') })
    await page.getByText('Opinion.txt is stored.').waitFor()
    // For a day ahead it is scheduled, which is told and not yet live.
    await page.getByLabel('Post date').fill('2099-05-01')
    expect(await form(page).getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await form(page).getByRole('button', { name: 'Schedule' }).click()
    await page.getByText('Saved. Scheduled for May 1, 2099.').waitFor()
    await rowOf(page, 'May 1, 2099').getByText('Scheduled', { exact: true }).waitFor()
    await page.getByLabel('Post date').fill('2024-05-01')
    await form(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved and published.').waitFor()
    await expect.poll(() => rowOf(page, 'No rights basis').count()).toBe(0)
    await page.getByRole('link', { name: 'See it on the site' }).click()
    await page.getByRole('heading', { name: 'The Tale of Genji', level: 1 }).waitFor()
  })

  await visit({ hasScripts: false }, async (page) => {
    await page.goto('/western')
    await page.getByRole('link', { name: /The Tale of Genji/ }).waitFor()
  })

  await visit({ width: 320, theme: 'dark' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await rowOf(page, 'The Tale of Genji')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByText('Are you sure you want to delete this content?').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await rowOf(page, 'The Tale of Genji').getByRole('button', { name: /^Edit/ }).click()
    await form(page).waitFor()
    await page.getByText('Opinion.txt').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await page.goBack()
    await rowOf(page, 'The Tale of Genji')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No content found', { exact: true }).waitFor()
  })
})

test('Two administrators edit one entry, and the second chooses field by field whose version stands', async () => {
  await someItems(server.app, [{ name: 'Walden', category: 'Literature' }])
  const [first, second] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app, { isAdmin: true })]
  const open = async (page: Page, admin: typeof first): Promise<void> => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await rowOf(page, 'Walden').getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
  }
  await visit({ theme: 'dark', expects: [/status of 409/] }, async (mine) => {
    await open(mine, second)
    await mine.getByLabel('Name', { exact: true }).fill('Walden; or, Life in the Woods')
    await mine.getByLabel('Holder').fill('Nobody')

    await visit({}, async (theirs) => {
      await open(theirs, first)
      await theirs.getByLabel('Name', { exact: true }).fill('Walden, 1854')
      await theirs.getByLabel('Licence').fill('CC0-1.0')
      await form(theirs).getByRole('button', { name: 'Save', exact: true }).click()
      await theirs.getByText('Saved and published.').waitFor()
    })

    await form(mine).getByRole('button', { name: 'Save', exact: true }).click()
    await mine.getByRole('heading', { name: 'Somebody else has saved this entry in the meantime' }).waitFor()
    const field = (name: string) => mine.getByRole('group', { name, exact: true })
    expect(await field('Name').textContent()).toContain('Walden, 1854')
    expect(await field('Name').getByLabel('Keep mine').isChecked()).toBe(true)
    // Their own change is taken by default; an equal field is not listed.
    expect(await field('Licence').getByLabel('Take theirs').isChecked()).toBe(true)
    expect(await field('Category').count()).toBe(0)
    await expectAccessible(mine)
    await field('Name').getByLabel('Take theirs').check()
    await mine.getByRole('button', { name: 'Save with these choices' }).click()
    await mine.getByText('Saved and published.').waitFor()
    expect(await mine.getByLabel('Name', { exact: true }).inputValue()).toBe('Walden, 1854')
  })
  const stored = await server.app.db
    .selectFrom('items')
    .select(['name', 'rights_holder', 'rights_licence', 'version'])
    .where('slug', '=', 'walden')
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({ name: 'Walden, 1854', rights_holder: 'Nobody', rights_licence: 'CC0-1.0', version: 3 })
})

test('A withdrawal takes an entry off the site, and no edit that was begun before it brings the entry back', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  const stored = () =>
    server.app.db
      .selectFrom('consent_records as c')
      .innerJoin('items as i', 'i.id', 'c.item_id')
      .select(['i.status', 'i.version', 'c.withdrawn_at', 'c.evidence'])
      .where('i.name', '=', 'The Tale of a Portrait')
      .executeTakeFirstOrThrow()
  const evidence = (page: Page) => page.getByLabel('Evidence of the consent')
  await visit({ expects: [/status of 409/, /status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western&edit=new')
    await page.getByLabel('Name', { exact: true }).fill('The Tale of a Portrait')
    await form(page).getByLabel('Category').selectOption('Literature')
    await page.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/portrait')
    await page.getByLabel('Basis').selectOption('public_domain')
    await page.getByLabel('Evidence', { exact: true }).fill('Its author died in 1900.')
    await page.getByLabel('They permit downloads').check()
    await page.getByLabel('People').selectOption('identifiable')
    await page.getByRole('button', { name: 'Add a person' }).click()
    await page.getByLabel('Pseudonym').fill('The sitter')
    await evidence(page).fill('A form of 2020.')
    await page.getByLabel('Adult at production').selectOption('yes')
    await page.getByLabel('Agreed to publication').check()
    await page.getByLabel('Agreed to downloads').check()
    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Saved and published.').waitFor()

    await visit({}, async (theirs) => {
      await remember(theirs, server, await aMember(server.app, { isAdmin: true }))
      await theirs.goto(new URL(page.url()).pathname + new URL(page.url()).search)
      await theirs.getByRole('button', { name: 'Record a withdrawal' }).click()
      await expectAccessible(theirs)
      await theirs.getByRole('dialog').getByRole('button', { name: 'Record it' }).click()
      await theirs.getByText('This consent was withdrawn.').waitFor()
      await theirs.getByText('A consent was withdrawn, or has ended.').first().waitFor()
    })
    expect(await stored()).toMatchObject({ status: 'restricted', version: 3 })

    // Mine was begun before: neither the way back to the form nor a reload makes it forget that.
    await evidence(page).fill('Another form.')
    const overtaken = page.getByRole('heading', { name: 'Somebody else has saved this entry in the meantime' })
    const save = () => form(page).getByRole('button', { name: 'Save', exact: true }).click()
    await save()
    await overtaken.waitFor()
    await page.getByRole('button', { name: 'Back to the form' }).click()
    await save()
    await overtaken.waitFor()
    await page.reload()
    await page.getByText('Your unsaved changes are back.').waitFor()
    await form(page).getByRole('button', { name: 'Publish' }).click()
    await overtaken.waitFor()
    await page.getByRole('button', { name: 'Save with these choices' }).click()
    await page
      .getByText(/The sitter withdrew the consent on/)
      .first()
      .waitFor()
    expect(await stored()).toMatchObject({ status: 'restricted', version: 3, evidence: 'A form of 2020.' })
    expect((await stored()).withdrawn_at).not.toBeNull()

    await page.getByRole('button', { name: 'Record a new consent' }).click()
    await page.getByLabel('Evidence of the new consent').fill('A form of this year.')
    await page.getByRole('dialog').getByRole('button', { name: 'Record it' }).click()
    await page.getByRole('button', { name: 'Record a withdrawal' }).waitFor()
    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Saved and published.').waitFor()
    expect(await stored()).toMatchObject({ status: 'published', evidence: 'A form of this year.', withdrawn_at: null })

    // A restricted entry can be worked on as a draft.
    await page.getByRole('button', { name: 'Record a withdrawal' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Record it' }).click()
    await page.getByText('This consent was withdrawn.').waitFor()
    expect(await stored()).toMatchObject({ status: 'restricted' })
    await form(page).getByRole('button', { name: 'Make it a draft' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    expect(await stored()).toMatchObject({ status: 'draft' })
    expect(await form(page).getByRole('button', { name: 'Make it a draft' }).count()).toBe(0)
  })
})

test('Who takes an entry off the site that was saved meanwhile takes it off, and does not publish it', async () => {
  await someItems(server.app, [{ name: 'Walden Pond', category: 'Literature' }])
  const admin = await aMember(server.app, { isAdmin: true })
  const status = () =>
    server.app.db.selectFrom('items').select('status').where('slug', '=', 'walden-pond').executeTakeFirstOrThrow()
  await visit({ expects: [/status of 40[19]/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await rowOf(page, 'Walden Pond').getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
    await visit({}, async (theirs) => {
      await remember(theirs, server, await aMember(server.app, { isAdmin: true }))
      await theirs.goto(new URL(page.url()).pathname + new URL(page.url()).search)
      await theirs.getByLabel('Licence').fill('CC0-1.0')
      await form(theirs).getByRole('button', { name: 'Save', exact: true }).click()
      await theirs.getByText('Saved and published.').waitFor()
    })
    await form(page).getByRole('button', { name: 'Unpublish' }).click()
    await form(page).getByRole('button', { name: 'Take it off the site?' }).click()
    await page.getByRole('heading', { name: 'Somebody else has saved this entry in the meantime' }).waitFor()
    await page.getByRole('button', { name: 'Take it off the site', exact: true }).click()
    await page.getByText('Saved as a draft.').waitFor()
    expect(await status()).toEqual({ status: 'draft' })

    // A member who is signed out in the midst of an edit signs in again, and finds their draft.
    await page.getByLabel('Holder').fill('Nobody any more')
    await server.app.db.deleteFrom('sessions').where('user_id', '=', admin.id).execute()
    await form(page).getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email').fill(admin.email)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Your unsaved changes are back.').waitFor()
    expect(await page.getByLabel('Holder').inputValue()).toBe('Nobody any more')
  })
})

test('What was typed into an entry that another administrator has deleted is still there, and can become a new one', async () => {
  await someItems(server.app, [
    { name: 'Utopia', category: 'Literature' },
    { name: 'Erewhon', category: 'Literature' },
    { name: 'New Atlantis', category: 'Literature' },
  ])
  const [mine, theirs] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app, { isAdmin: true })]
  const removeAs = async (name: string): Promise<void> =>
    visit({}, async (page) => {
      await remember(page, server, theirs)
      await page.goto('/admin/settings?tab=western')
      await rowOf(page, name)
        .getByRole('button', { name: /^Delete/ })
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await rowOf(page, name).waitFor({ state: 'detached' })
    })
  await visit({ theme: 'dark', width: 320, expects: [/status of 404/] }, async (page) => {
    await remember(page, server, mine)
    await page.goto('/admin/settings?tab=western')
    const edit = (name: string) => rowOf(page, name).getByRole('button', { name: /^Edit/ })
    const name = page.getByLabel('Name', { exact: true })
    const deleted = page.getByText('Somebody has deleted this entry. Your text is still here')

    await edit('Utopia').click()
    await name.fill('Utopia, 1516')
    await removeAs('Utopia')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await deleted.waitFor()
    expect(await name.inputValue()).toBe('Utopia, 1516')
    await expect.poll(() => edit('Utopia').count()).toBe(0)
    await expectAccessible(page)
    await page.reload()
    await deleted.waitFor()
    expect(await name.inputValue()).toBe('Utopia, 1516')
    await page.getByRole('button', { name: 'Save as a new entry' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    await edit('Utopia, 1516').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()

    // It can be thrown away as well.
    await edit('Erewhon').click()
    await name.fill('Nowhere')
    await removeAs('Erewhon')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await deleted.waitFor()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('region', { name: 'A deleted entry' }).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft ')))).toEqual([])

    // The second of two who delete an entry finds it done.
    await removeAs('New Atlantis')
    await rowOf(page, 'New Atlantis')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => edit('New Atlantis').count()).toBe(0)
  })
  const left = await server.app.db
    .selectFrom('items')
    .select(['name', 'status'])
    .where('name', 'like', 'Utopia%')
    .execute()
  expect(left).toEqual([{ name: 'Utopia, 1516', status: 'draft' }])
})

test('An administrator gives an entry a cover, and takes it away; what is typed stays', async () => {
  await someItems(server.app, [{ name: 'Walden, Illustrated', slug: 'walden-illustrated', contentType: 'western' }])
  const admin = await aMember(server.app, { isAdmin: true })
  const picture = await sharp({ create: { width: 600, height: 900, channels: 3, background: '#2b5a6b' } })
    .jpeg()
    .toBuffer()
  await visit({ theme: 'light', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await rowOf(page, 'Walden, Illustrated').getByRole('button', { name: /^Edit/ }).click()
    const cover = page.getByRole('group', { name: 'Cover' })
    await cover.getByText('Drawn, while there is no picture').waitFor()
    await page.getByLabel('Description').fill('Typed, and not saved yet.')
    const choose = (name: string, buffer: Buffer): Promise<void> =>
      cover.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/jpeg', buffer })
    await choose('a.jpg', Buffer.from('no picture'))
    await cover.getByText('This is no JPEG, PNG or WebP picture.').waitFor()
    await choose('b.jpg', Buffer.alloc(10 * 1024 * 1024 + 1))
    await cover.getByText('The picture is larger than 10 MB.').waitFor()
    await choose('walden.jpg', picture)
    await cover.getByText('The cover is stored.').waitFor()
    const shown = cover.getByRole('img', { name: 'Cover of Walden, Illustrated' })
    await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(600)
    await expectAccessible(page)
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed, and not saved yet.')

    await page.goto('/western/walden-illustrated')
    const onPage = page.getByRole('img', { name: 'Cover of Walden, Illustrated' })
    expect(await onPage.getAttribute('src')).toMatch(/^\/covers\/[0-9a-f]{32}\/320\.webp$/)
    await expectAccessible(page)
    await page.goBack()
    await cover.getByRole('button', { name: 'Remove the cover' }).click()
    await cover.getByText('The cover was removed.').waitFor()
    await cover.getByText('Drawn, while there is no picture').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Typed, and not saved yet.')
    await form(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByText(/saved|updated/i)
      .first()
      .waitFor()
  })
})

test('An entry is edited beside the list, which keeps its place; nothing typed is left without a question', async () => {
  await someItems(
    server.app,
    Array.from({ length: 40 }, (_, place) => ({
      name: `Essay ${String(place + 1).padStart(2, '0')}`,
      contentType: 'unknown',
      category: 'Unknown',
    })),
  )
  const admin = await aMember(server.app, { isAdmin: true })
  const panel = (page: Page) => page.getByRole('dialog', { name: 'Edit an entry' })
  const edit = (page: Page, name: string) => rowOf(page, name).getByRole('button', { name: /^Edit/ })
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=unknown')
    await edit(page, 'Essay 36').scrollIntoViewIfNeeded()
    const placeOf = async (name: string) => (await edit(page, name).boundingBox())?.y ?? 0
    const before = await placeOf('Essay 36')
    await edit(page, 'Essay 36').click()
    await panel(page).getByLabel('Name', { exact: true }).waitFor()
    expect(Math.abs((await placeOf('Essay 36')) - before)).toBeLessThan(200)
    await expectAccessible(page)

    // Saved, the row says so beside it.
    await panel(page).getByLabel('Name', { exact: true }).fill('Essay 36, revised')
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await panel(page).getByText('Saved and published.').waitFor()
    await rowOf(page, 'Essay 36, revised').waitFor()

    // Another entry, and Back to the one before: typed text asks first, and stays.
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await panel(page).getByLabel('Licence').fill('CC0-1.0')
    await edit(page, 'Essay 35').click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await panel(page).getByLabel('Licence').inputValue()).toBe('CC0-1.0')
    await panel(page).getByLabel('Licence').press('Escape')
    await question.waitFor()
    await expectAccessible(page)
    // This key closes the question alone.
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await edit(page, 'Essay 35').click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await panel(page).getByRole('heading', { name: 'Essay 35' }).waitFor()
    await page.goBack()
    await page.getByText('Your unsaved changes are back.').waitFor()
    expect(await panel(page).getByLabel('Licence').inputValue()).toBe('CC0-1.0')
    // Its own button needs no question.
    await panel(page).getByRole('button', { name: 'Cancel' }).click()
    await panel(page).waitFor({ state: 'detached' })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Edit: Essay 36, revised')

    // The address of the panel can be sent, and Back closes it.
    await edit(page, 'Essay 37').click()
    await panel(page).getByRole('heading', { name: 'Essay 37' }).waitFor()
    const address = page.url()
    await page.goBack()
    await panel(page).waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Edit: Essay 37')
    await page.goto(address)
    await panel(page).getByRole('heading', { name: 'Essay 37' }).waitFor()
    await panel(page).getByRole('button', { name: 'Close the panel' }).click()
    await panel(page).waitFor({ state: 'detached' })
  })

  await visit({ width: 320, theme: 'dark' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=unknown')
    await edit(page, 'Essay 38').click()
    await panel(page).getByLabel('Name', { exact: true }).waitFor()
    const box = await panel(page).boundingBox()
    expect([box?.x, box?.width]).toEqual([0, 320])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit: Essay 38')
  })
})

test('An administrator sees a draft as visitors and VIPs would; nobody else does, and nothing is counted', async () => {
  const links = { link: 'https://mega.nz/file/draft', linkG: 'https://gofile.io/d/draft' }
  const [draft] = await someItems(server.app, [{ name: 'The Tale of a Draft', status: 'draft', ...links }])
  const admin = await aMember(server.app, { isAdmin: true })
  const member = await aMember(server.app)
  const address = `/admin/preview/${draft?.id}`
  await visit({ theme: 'dark' }, async (page) => {
    await remember(page, server, admin)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await page.goto(`/admin/settings?tab=western&edit=${draft?.id}`)
    const opening = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'View as visitor' }).click()
    const preview = await opening
    await preview.getByText('Draft: nobody but administrators sees it now.').waitFor()
    await preview.getByRole('heading', { name: 'The Tale of a Draft', level: 1 }).waitFor()
    expect(await preview.title()).toMatch(/^Preview/)
    await preview.getByText('Opens after a 5-second wait').first().waitFor()
    await preview.getByRole('heading', { name: 'Upgrade to VIP' }).waitFor()
    await expectAccessible(preview)
    // Buttons that would keep or report it, and links, do nothing.
    await preview.getByRole('button', { name: 'Save', exact: true }).click()
    await preview
      .getByRole('button', { name: /^Report a dead link/ })
      .first()
      .click()
    await preview.getByRole('link', { name: 'Report this entry' }).click()
    expect(new URL(preview.url()).pathname).toBe(address)

    await preview.getByRole('link', { name: 'As VIP' }).click()
    await preview.getByText('Direct link for VIPs').first().waitFor()
    expect(await preview.getByRole('heading', { name: 'Upgrade to VIP' }).count()).toBe(0)
    const download = preview.getByRole('link', { name: /^Download from/ }).first()
    expect(await download.getAttribute('href')).toBe(links.link)
    expect(sent).toEqual([])
    await expectAccessible(preview)
    await preview.close()
  })
  await visit({ expects: [/status of 403/, /status of 404/] }, async (page) => {
    await remember(page, server, member)
    await page.goto(address)
    await page.getByRole('heading', { name: 'Access denied' }).waitFor()
    expect(await page.content()).not.toContain('The Tale of a Draft')
    expect((await page.goto(`/western/${draft?.slug}`))?.status()).toBe(404)
  })
})
