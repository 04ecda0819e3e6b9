import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { aNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

let ada: MadeMember

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  ada = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
})

/** Each theme at one width. */
const sizes = [
  { width: 1280, theme: 'light' },
  { width: 320, theme: 'dark' },
] as const

test('An administrator hides what a flood has left on the site, and decides about many notices at once, back and forth', async () => {
  const items = await someItems(
    server.app,
    Array.from({ length: 54 }, (_, no) => ({ name: `Letter ${no}`, link: `https://mega.nz/file/letter${no}` })),
  )
  const slugs = items.map(({ slug }) => slug)
  const flood = (urls: string[]) => aNotice(server.app, { kind: 'intimate-image', urls, from: '203.0.113.7' })
  await flood(slugs.slice(0, 50))
  const { reference } = await flood(slugs.slice(50, 52))
  await flood(slugs.slice(52))

  for (const { width, theme } of sizes) {
    await visit({ theme, width }, async (page) => {
      await remember(page, server, ada)
      await page.goto('/admin/notices')
      await page.getByText('Not hidden: too many at once').first().waitFor()
      await page.getByLabel(`Select ${reference}`).check()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await page.getByRole('button', { name: 'Decide 1 notice' }).click()
      await page.getByRole('dialog').getByLabel('Facts').waitFor()
      await expectAccessible(page)
      await page.goto(`/admin/notices/${reference}`)
      await page.getByRole('button', { name: 'Hide the entries' }).waitFor()
      await expectAccessible(page)
    })
  }

  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, ada)
    await page.goto(`/admin/notices/${reference}`)
    await page.getByRole('button', { name: 'Hide the entries' }).press('Enter')
    await page.getByText('The entries are hidden until the decision.').waitFor()
    expect(await page.getByRole('button', { name: 'Hide the entries' }).count()).toBe(0)

    await page.getByRole('link', { name: '2 more waiting notices from the same network' }).press('Enter')
    await page.waitForURL(`**/admin/notices?network=${reference}`)
    await page.getByLabel('Select all 3 shown').check()
    await page.getByRole('button', { name: 'Decide 3 notices' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Decide 3 notices' }).press('Enter')
    await dialog.getByText('Choose what is decided.').waitFor()
    await dialog.getByLabel('What becomes of the entries').selectOption('keep')
    const send = dialog.getByRole('button', { name: 'Keep the entries of 3 notices' })
    await dialog.getByLabel('Ground').selectOption('illegal')
    await dialog.getByLabel('The law or the term').fill('Take It Down Act')
    await dialog.getByLabel('Facts').fill('No person is shown.')
    await dialog.getByLabel('Explanation').fill('Nothing of it is what the notices say.')
    await send.press('Enter')
    await page.getByText('3 notices were decided.').waitFor()
    await page.getByText('No notice matches these filters.').waitFor()
    expect((await server.request(`/western/${slugs[0] ?? ''}`)).status).toBe(200)

    await page.goto('/admin/notices?state=decided')
    await page.getByLabel(`Select ${reference}`).press('Space')
    await page.getByRole('button', { name: 'Decide 1 notice' }).press('Enter')
    await dialog.getByText('1 of them is decided already').waitFor()
    await dialog.getByLabel('What becomes of the entries').selectOption('remove')
    await dialog.getByLabel('Ground').selectOption('illegal')
    await dialog.getByLabel('The law or the term').fill('Take It Down Act')
    await dialog.getByLabel('Facts').fill('A person is shown after all.')
    await dialog.getByLabel('Explanation').fill('A second look.')
    await dialog.getByRole('button', { name: 'Remove the entries of 1 notice' }).press('Enter')
    await page.getByText('1 notice was decided.').waitFor()
    await page.getByText('Each notice').press('Enter')
    await page
      .getByRole('listitem')
      .filter({ hasText: `${reference}: Decided.` })
      .waitFor()
    expect((await server.request(`/western/${slugs[50] ?? ''}`)).status).toBe(451)
  })
})
