import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { ageProof, aMember, bearer, remember, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile({ now: new Date().toISOString() })
const { visit: visitAs } = visitsOfFile(server)

const visit = (overrides: VisitorOptions, story: (page: Page) => Promise<void>): Promise<void> =>
  visitAs({ expects: [/status of 40[13]/], ...overrides }, story)

const proof = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" })
const password = (page: Page) => proof(page).getByLabel('Current password', { exact: true })
const unproved = 'Your password was not confirmed, so nothing was done. Please try again.'

async function confirm(page: Page, typed: string): Promise<void> {
  await password(page).fill(typed)
  await password(page).press('Enter')
}

const expectFocus = (field: ReturnType<Page['locator']>) =>
  expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)

const storedToken = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('Token'))

test('A member changes the password with a stale proof and with a fresh one, and stays signed in in every tab', async () => {
  const member = await aMember(server.app, { name: 'Jane Reader' })
  await visit({ theme: 'light' }, async (page) => {
    const token = await remember(page, server, member)
    const elsewhere = await signIn(server, member)
    await page.goto('/account')
    const otherTab = await page.context().newPage()
    await otherTab.goto('/account')
    await otherTab.getByRole('heading', { name: member.name, level: 1 }).waitFor()
    await otherTab.getByRole('button', { name: 'Delete Account' }).click()
    await otherTab.getByRole('dialog').getByRole('textbox').fill('delete my')

    const change = page.getByRole('dialog', { name: 'Change Password' })
    const open = () =>
      page.getByRole('region', { name: 'Account Security' }).getByRole('button', { name: 'Change Password' }).click()
    const type = async (typed: string): Promise<void> => {
      await change.getByLabel('New Password', { exact: true }).fill(typed)
      await change.getByLabel('Confirm Password', { exact: true }).fill(typed)
      await change.getByRole('button', { name: 'Change Password' }).click()
    }
    await ageProof(server.app, member, 15)
    await open()
    await type('nine blue herons')
    await expectFocus(password(page))
    expect(await password(page).getAttribute('autocomplete')).toBe('current-password')
    expect(await proof(page).locator('input[autocomplete=username]').inputValue()).toBe(member.email)
    await expectAccessible(page)

    // A wrong one is told beside its field, and typed again.
    await confirm(page, 'not the password')
    await proof(page).getByRole('alert').filter({ hasText: 'This is not your current password.' }).waitFor()
    await expectFocus(password(page))
    await proof(page).getByRole('button', { name: 'Confirm', exact: true }).waitFor()
    await expectAccessible(page)

    // Escape leaves the form as it was, with the reason.
    await page.keyboard.press('Escape')
    await proof(page).waitFor({ state: 'detached' })
    await change.getByText(unproved).waitFor()
    expect(await change.getByLabel('New Password', { exact: true }).inputValue()).toBe('nine blue herons')
    await expectFocus(change.getByRole('button', { name: 'Change Password' }))
    expect(await storedToken(page)).toBe(token)

    await page.keyboard.press('Enter')
    await confirm(page, member.password)
    await change.getByText('Password changed successfully!').waitFor()
    const renewed = await storedToken(page)
    expect(renewed).not.toBe(token)
    for (const ended of [token, elsewhere])
      expect((await server.request('/auth/status', { headers: bearer(ended) })).status).toBe(401)
    await change.waitFor({ state: 'detached' })
    await expectFocus(
      page.getByRole('region', { name: 'Account Security' }).getByRole('button', { name: 'Change Password' }),
    )

    // The open dialog of the other tab stays, and goes on under the new token.
    expect(await otherTab.getByRole('dialog').getByRole('textbox').inputValue()).toBe('delete my')
    await otherTab.keyboard.press('Escape')
    await otherTab.getByRole('button', { name: 'Discard' }).click()
    await otherTab.getByRole('region', { name: 'Account Security' }).getByRole('link').click()
    await otherTab.getByRole('button', { name: 'Download my data' }).click()
    await otherTab.getByText(/^Saved as my-data-/).waitFor()
    await otherTab.close()

    // The proof is fresh, and so nothing is asked.
    await open()
    await type('ten grey storks')
    await change.getByText('Password changed successfully!').waitFor()
    expect(await proof(page).count()).toBe(0)
    expect(await storedToken(page)).not.toBe(renewed)
    await page.reload()
    await page.getByRole('heading', { name: member.name, level: 1 }).waitFor()
  })
})

test('An administrator saves what they have typed for over an hour once they have confirmed, on a small screen', async () => {
  const [admin, member] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app)]
  await visit({ width: 320, height: 640, theme: 'dark' }, async (page) => {
    await remember(page, server, admin)
    await page.goto(`/admin/people/${member.id}`)
    const note = page.getByLabel('What administrators should know')
    await note.fill('Wrote on paper, in a fine hand.')
    await ageProof(server.app, admin, 61)
    await page.getByRole('button', { name: 'Save note' }).click()
    await expectFocus(password(page))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    const box = await proof(page).boundingBox()
    expect(box?.width).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await proof(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(unproved).waitFor()
    expect(await note.inputValue()).toBe('Wrote on paper, in a fine hand.')
    expect(await server.app.db.selectFrom('member_notes').select('note').execute()).toEqual([])

    await page.getByRole('button', { name: 'Save note' }).click()
    await confirm(page, admin.password)
    await page.getByText('The note was saved.').waitFor()
    expect(await server.app.db.selectFrom('member_notes').select('note').execute()).toEqual([
      { note: 'Wrote on paper, in a fine hand.' },
    ])
  })
})

test('A file is not sent before its sender has confirmed, and a download waits for it too', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({}, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/import')
    const uploads: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/imports')) uploads.push(request.url())
    })
    await ageProof(server.app, admin, 61)
    await page.getByLabel('CSV or JSON lines, at most 200 MB').setInputFiles({
      name: 'works.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,category,contentType,link\nThe work,Literature,western,https://mega.nz/file/work\n'),
    })
    const upload = page.getByRole('button', { name: 'Upload' })
    await upload.click()
    await password(page).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText(unproved).waitFor()
    expect(uploads).toEqual([])
    await upload.click()
    await confirm(page, admin.password)
    await page.getByText('4 columns, all of them known.').waitFor()
    expect(uploads).toHaveLength(1)

    await page.goto('/admin/people')
    await ageProof(server.app, admin, 16)
    await page.getByRole('button', { name: 'Export members' }).click()
    const downloaded = page.waitForEvent('download')
    await confirm(page, admin.password)
    expect(await readFile(await (await downloaded).path(), 'utf8')).toContain(admin.email)
  })
})
