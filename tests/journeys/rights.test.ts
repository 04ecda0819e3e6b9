import { beforeAll, expect, test } from 'vitest'
import { restrictLapsedItems } from '../../src/features/catalogue/publishing/restrict-lapsed-items.server.ts'
import { expectAccessible } from '../harness/axe.ts'
import { type MadeItem, someItems } from '../harness/items.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { writePastRules } from '../harness/past-rules.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const dayMs = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

let admin: MadeMember
let soon: MadeItem | undefined
const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  admin = await aMember(server.app, { isAdmin: true })
})

test('An administrator reads on their home what ends, goes on in the list by the keyboard, and opens the form of an entry', async () => {
  const { app } = server
  await visit({ width: 320, theme: 'dark' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/rights')
    await page.getByText('No rights or consents of published entries end within 30 days.').waitFor()
    expect(await page.title()).toMatch(/^Rights/)
    await expectAccessible(page)
  })

  const made = await someItems(app, [
    { name: 'The lapsed work of a creator with a very long name, volume two, part three', validTo: inDays(9) },
    ...Array.from({ length: 60 }, (_, place) => ({ name: `Work ${place + 1}`, validTo: inDays(3 + (place % 20)) })),
  ])
  soon = made[1]
  await writePastRules(
    app,
    `update items set rights_valid_until = now() - interval '1 minute', lapses_at = now() - interval '1 minute'
      where id = '${made[0]?.id}'`,
  )
  await restrictLapsedItems(app)

  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin')
    await page.getByRole('link', { name: /^Renew: The rights of 60 entries end within 30 days/ }).click()
    await page.waitForURL('**/admin/rights?show=lapsing')
    await page.getByRole('button', { name: 'Ending soon (60)', pressed: true }).waitFor()
    const navigation = page.getByRole('navigation', { name: 'Administration' })
    await navigation.getByRole('link', { name: 'Rights 1 waiting' }).waitFor()
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBe(50)
    expect(await rows.first().textContent()).toMatch(/^Work 1\w+ \d+, \d{4}\d days$/)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Load more' }).press('Enter')
    await expect.poll(() => rows.count()).toBe(60)
    await page.getByText('That is the end of the list.').waitFor()

    await page.getByRole('button', { name: 'Taken off (1)', pressed: false }).press('Enter')
    const lapsed = page.getByRole('region', { name: 'Entries taken offline' })
    await lapsed.getByText(/^The rights ended on [A-Z][a-z]+ \d+, \d{4}\.$/).waitFor()
    expect(new URL(page.url()).search).toBe('?show=lapsed')
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)

    // Without filters, entries that need a hand come first.
    await page.goto('/admin/rights')
    await lapsed.waitFor()
    await page.getByRole('button', { name: 'Taken off (1)', pressed: true }).waitFor()
    await page.goBack()
    await page.goBack()
    await page.getByRole('link', { name: 'Work 1', exact: true }).press('Enter')
    await page.waitForURL(`**/admin/settings?edit=${soon?.id}`)
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Work 1')
  })
})

test('An administrator extends the prohibited names, is told what another one has saved, and a category is refused', async () => {
  await visit({ width: 320, theme: 'dark', expects: [/409/, /422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/prohibited-names')
    const refused = page.getByLabel('Refused everywhere')
    await refused.fill('Smuggled  Goods\n\nlooted')
    await page.getByText('38 built in').click()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved, and in force.').waitFor()
    expect(await refused.inputValue()).toBe('looted\nsmuggled goods')

    // As another administrator's save does.
    await server.app.db.updateTable('prohibited_lists').set({ version: 7 }).execute()
    await server.app.db.insertInto('prohibited_terms').values({ term_folded: 'pilfered' }).execute()
    await page.getByLabel('Sexual words').fill('gaudy')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Refused everywhere: looted, pilfered, smuggled goods').waitFor()
    expect(await page.getByLabel('Sexual words').inputValue()).toBe('gaudy')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved, and in force.').waitFor()
    await page.getByLabel('Words for minors').fill('x')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Each term must have 2 to 60 characters, with two letters or digits among them.').waitFor()
    await expectAccessible(page)

    await page.goto('/admin/categories')
    await page.getByRole('button', { name: 'Add a category' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Gaudy')
    await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).click()
    await page.getByText("The category 'Gaudy' is not allowed: it holds nothing but 'gaudy'.").waitFor()
  })
})
