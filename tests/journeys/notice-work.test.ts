import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { aNotice, type MadeNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { holdRequests, visitsOfFile } from '../harness/browser.ts'

let ada: MadeMember

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  ada = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
  await aMember(server.app, { name: 'Ben Admin', isAdmin: true })
})

test('Five notices of one sender are decided at once, by keys and with a template; another one is a colleague’s', async () => {
  const items = await someItems(
    server.app,
    Array.from({ length: 6 }, (_, no) => ({ name: `Letter ${no}`, link: `https://mega.nz/file/work${no}` })),
  )
  const made: MadeNotice[] = []
  for (const { slug } of items.slice(0, 5))
    made.push(await aNotice(server.app, { urls: [slug], name: 'Clara Claimant', email: 'clara@lighthouse.example' }))
  const other = await aNotice(server.app, { urls: [items[5]?.slug ?? ''], name: 'Otto Other' })
  await visit({ theme: 'light', expects: [/422/, /409/, /status of 500/] }, async (page) => {
    await remember(page, server, ada)
    const dialog = page.getByRole('dialog')
    const main = page.getByRole('main')

    const insert = async (field: string): Promise<void> => {
      const opener = dialog.getByRole('button', { name: new RegExp(`^Insert a template.*${field}`) })
      // A menu closes while what lies below it moves: the field has just been scrolled to.
      await expect
        .poll(async () => {
          if ((await page.getByRole('menu').count()) === 0) await opener.press('Enter')
          return page.getByRole('menuitem', { name: 'Lawful use' }).count()
        })
        .toBe(1)
      await page.getByRole('menuitem', { name: 'Lawful use' }).press('Enter')
    }

    // A template is written first; a name is there once.
    await page.goto('/admin/answer-templates')
    await main.getByText('No templates yet.').waitFor()
    await expectAccessible(page)
    for (const name of ['Lawful use', 'lawful use', 'Second']) {
      await main.getByRole('button', { name: 'New template' }).press('Enter')
      await dialog.getByLabel('Name', { exact: true }).fill(name)
      await dialog.getByLabel('Text', { exact: true }).fill('The work is in the public domain.')
      await dialog.getByRole('button', { name: 'Save template' }).press('Enter')
      if (name === 'lawful use') {
        await dialog.getByText('There is a template “lawful use” already. Choose another name.').waitFor()
        await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
      } else await main.getByText('The template was saved.').waitFor()
      await dialog.waitFor({ state: 'detached' })
    }
    // Opened again at once it begins with what was saved, though the list is still asked for.
    const list = await holdRequests(page, '**/api/answer-templates')
    for (const text of ['Changed once.', 'Changed twice.']) {
      await main.getByRole('button', { name: /^Edit.*Second/ }).press('Enter')
      await dialog.getByLabel('Text', { exact: true }).fill(text)
      await dialog.getByRole('button', { name: 'Save template' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
    }
    list.release()
    await page.unrouteAll({ behavior: 'wait' })
    await main.getByRole('cell', { name: 'Changed twice.' }).waitFor()
    await main.getByRole('button', { name: /^Delete.*Second/ }).press('Enter')
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    await main.getByText('The template was deleted.').waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })

    // All of one sender, by their name; then the keys.
    await page.goto('/admin/notices')
    await main.getByRole('link', { name: 'Clara Claimant' }).first().click()
    await page.waitForURL('**/admin/notices?search=Clara+Claimant')
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(5)
    const inFocus = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? '')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const [first, second] = await rows.allTextContents()
    expect(await inFocus()).toBe(first)
    await page.keyboard.press('j')
    expect(await inFocus()).toBe(second)
    await page.keyboard.press('x')
    await page.keyboard.press('k')
    expect(await inFocus()).toBe(first)
    await main.getByRole('button', { name: 'Decide 2 notices' }).waitFor()
    // A letter in a field is no key of the list.
    await page.getByRole('searchbox').press('x')
    await main.getByRole('button', { name: 'Decide 2 notices' }).waitFor()
    await page.getByRole('searchbox').fill('Clara Claimant')
    await page.getByRole('searchbox').press('Enter')
    await expect.poll(() => rows.count()).toBe(5)
    await page.getByLabel('Select all 5 shown').check()
    await expectAccessible(page)

    // They are given to a colleague, but for one that somebody else has taken meanwhile.
    const [taken] = made
    await server.app.db
      .insertInto('notice_assignments')
      .values({ notice_id: taken?.id ?? '', member_id: ada.id, assigned_at: new Date() })
      .execute()
    await page.route('**/api/notices/*', (route) =>
      route.fulfill({ status: 500, json: { error: 'no', message: 'no' } }),
    )
    await main.getByRole('button', { name: 'Assign 5 notices' }).press('Enter')
    // Nobody is offered before everybody is.
    await dialog.getByText('The administrators could not be loaded').waitFor()
    expect(await dialog.getByLabel('Assign to').count()).toBe(0)
    await expectAccessible(page)
    await page.unroute('**/api/notices/*')
    await dialog.getByRole('button', { name: 'Try again' }).press('Enter')
    await dialog.getByRole('button', { name: 'Assign', exact: true }).press('Enter')
    await dialog.getByText('Please choose who works on them.').waitFor()
    await dialog.getByLabel('Assign to').selectOption('Ben Admin')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Assign', exact: true }).press('Enter')
    await main.getByText('4 notices were assigned, 1 was not.').waitFor()
    await expect.poll(() => rows.getByText('with Ben Admin').count()).toBe(4)
    await expect.poll(() => rows.getByText('yours').count()).toBe(1)

    await page.getByLabel('Select all 5 shown').check()
    await main.getByRole('button', { name: 'Decide 5 notices' }).press('Enter')
    await dialog.getByLabel('What becomes of the entries').selectOption('keep')
    await dialog.getByLabel('Ground').selectOption('illegal')
    await dialog.getByLabel('The law or the term').fill('17 U.S.C. § 512(c)')
    await dialog.getByLabel('Facts').fill('It is of 1887.')
    await insert('Facts')
    await expect
      .poll(() => dialog.getByLabel('Facts').inputValue())
      .toBe('It is of 1887.\n\nThe work is in the public domain.')
    await insert('Explanation')
    await expect.poll(() => dialog.getByLabel('Explanation').inputValue()).toBe('The work is in the public domain.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Keep the entries of 5 notices' }).dblclick()
    await main.getByText('5 notices were decided.').waitFor()
    await page.locator('h1:focus', { hasText: 'Notices' }).waitFor()
    const decided = await server.app.db.selectFrom('notice_decisions').select('notice_id').execute()
    expect(decided.map(({ notice_id }) => notice_id).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    const audited = await server.app.db
      .selectFrom('audit_events')
      .select('subject_id')
      .where('action', '=', 'notice.decided')
      .execute()
    expect(audited).toHaveLength(5)

    // The other one is given away, and found again.
    await page.goto(`/admin/notices/${other.reference}`)
    await page.getByLabel('Assigned to').selectOption('Ben Admin')
    await page.getByText('Ben Admin works on this notice now.').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Assigned to').selectOption('Ada Admin (you)')
    await page.getByText('Ada Admin works on this notice now.').waitFor()
    await page.goto('/admin/notices')
    await page.getByLabel('Assigned to').selectOption('Mine')
    await expect.poll(() => rows.count()).toBe(1)
    await rows.getByText('yours').waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })
})
