import { expect, test } from 'vitest'
import { holdRequests, visitsOfFile } from '../harness/browser.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

test('Two clicks on a button of the administration do what one does', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await someItems(server.app, [{ name: 'Walden' }])
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)

    // A preview: one edit, also while the first answer is on its way.
    await page.goto('/admin/bulk-edit?tab=all')
    await page.getByLabel('Category', { exact: true }).selectOption('Music')
    const held = await holdRequests(page, '**/api/bulk-edits')
    await page.getByRole('button', { name: 'Preview' }).dblclick()
    await expect.poll(() => held.count()).toBeGreaterThan(0)
    held.release()
    await page.getByText('1 entry found. 1 would change.').waitFor()
    expect(await server.app.db.selectFrom('bulk_edits').select('id').execute()).toHaveLength(1)

    // A new entry is published: the form stays, and so does the tab.
    await page.goto('/admin/settings?tab=western')
    await page.getByRole('button', { name: 'Add New Content' }).click()
    const form = page.locator('.content-form')
    await form.getByLabel('Name', { exact: true }).fill('A Week on the Concord')
    await form.getByLabel('Category').selectOption('Literature')
    await form.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/week')
    await form.getByLabel('Basis').selectOption('public_domain')
    await form.getByLabel('Evidence', { exact: true }).fill('Printed in 1849.')
    // By the words beside the box, as people do.
    await form.getByText('They permit downloads', { exact: true }).click()
    expect(await form.getByLabel('They permit downloads').isChecked()).toBe(true)
    await form.getByLabel('People').selectOption('none')
    const publish = form.getByRole('button', { name: 'Publish' })
    await publish.scrollIntoViewIfNeeded()
    const before = await publish.boundingBox()
    if (before === null) throw new Error('The button is not seen.')
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2]
    await page.mouse.click(x, y)
    await page.getByText('Saved and published.').waitFor()
    // The second click of the gesture, after the answer: whatever stands there now was not meant.
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    expect(new URL(page.url()).searchParams.get('tab')).toBe('western')
    await form.getByRole('button', { name: 'Unpublish' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await server.app.db.selectFrom('items').select('id').execute()).toHaveLength(2)

    // The first click asks, the second must not answer.
    await form.getByRole('button', { name: 'Unpublish' }).dblclick()
    await form.getByRole('button', { name: 'Take it off the site?' }).waitFor()
    const { status } = await server.app.db
      .selectFrom('items')
      .select('status')
      .where('name', '=', 'A Week on the Concord')
      .executeTakeFirstOrThrow()
    expect(status).toBe('published')
  })
})
