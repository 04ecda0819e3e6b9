import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

let admin: MadeMember

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  admin = await aMember(server.app, { isAdmin: true, name: 'Ada Admin' })
})

const row = (page: Page, label: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) })
const preview = (page: Page) => page.getByRole('dialog').getByRole('region', { name: 'Preview' })

async function open(page: Page, label: string): Promise<void> {
  await row(page, label).getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('dialog').getByLabel(label, { exact: true }).waitFor()
}

async function change(page: Page, label: string, text: string): Promise<void> {
  await open(page, label)
  await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text)
  const [firstLine = ''] = text.replace(/^# /, '').split('\n')
  await preview(page).getByText(firstLine, { exact: true }).waitFor()
  await save(page)
  await row(page, label).getByText('Changed', { exact: true }).waitFor()
}

async function save(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('An administrator rewrites the texts of the site, and a visitor reads them everywhere', async () => {
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/texts')
    await change(page, 'Line under the name', 'a library of old books')
    await change(page, 'VIP community link', 'https://vips.example/')
    await change(page, 'Access denied', 'This shelf is for members who pay.')
    await change(page, 'VIP Benefits', 'A key to every room')
    await change(page, 'Terms of Service', '# House rules\n\nBe kind to the books.')
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await expectAccessible(page)
    await open(page, 'Terms of Service')
    await expectAccessible(page)

    await visit({ theme: 'dark' }, async (visitor) => {
      await visitor.goto('/plans')
      await visitor.getByRole('contentinfo').getByText('a library of old books').waitFor()
      await visitor.goto('/terms')
      await visitor.getByRole('heading', { name: 'House rules' }).waitFor()
      await visitor.getByText('Be kind to the books.', { exact: true }).waitFor()
      await visitor.goto('/vip')
      await visitor.getByText('This shelf is for members who pay.').waitFor()
      await remember(visitor, server, await aMember(server.app, { isVip: true }))
      await visitor.goto('/account')
      await visitor.getByText('A key to every room').waitFor()
      await visitor.goto('/vip')
      const community = visitor.getByRole('link', { name: /^VIP Discord/ }).first()
      expect(await community.getAttribute('href')).toBe('https://vips.example/')
    })
  })
})

test('Two administrators change one text: the second sees both, and loses nothing that they typed', async () => {
  const other = await aMember(server.app, { isAdmin: true })
  const label = 'Line under the name'
  await visit({ theme: 'dark', expects: [/status of 409/] }, async (mine) => {
    await remember(mine, server, admin)
    await mine.goto('/admin/texts')
    await open(mine, label)
    const field = mine.getByRole('dialog').getByLabel(label, { exact: true })
    await field.fill('my own line')
    await visit({}, async (theirs) => {
      await remember(theirs, server, other)
      await theirs.goto('/admin/texts')
      await change(theirs, label, 'the line of somebody else')
    })
    await mine.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await mine.getByRole('dialog').getByText('the line of somebody else').waitFor()
    await mine.getByText('Somebody else has saved this text meanwhile.').waitFor()
    expect(await field.inputValue()).toBe('my own line')
    await expectAccessible(mine)
    await save(mine)
    await mine.goto('/plans')
    await mine.getByRole('contentinfo').getByText('my own line').waitFor()
  })
})

test('The keyboard alone takes the first text back', async () => {
  const label = 'Line under the name'
  await visit({}, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/texts')
    await change(page, label, 'a line of today')
    const reach = async (target: Locator): Promise<void> => {
      await target.waitFor()
      await expect
        .poll(
          async () => {
            await page.keyboard.press('Tab')
            return target.evaluate((element) => element === document.activeElement)
          },
          { interval: 1, timeout: 30_000 },
        )
        .toBe(true)
    }
    await reach(row(page, label).getByRole('button', { name: /^Edit/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await reach(page.getByRole('button', { name: 'Restore the original text' }))
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').getByLabel(label, { exact: true }).inputValue()).toBe(
      'premium content platform',
    )
    // The button has gone; the keyboard is in the field.
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => row(page, label).getByText('Changed', { exact: true }).count()).toBe(0)
    await page.goto('/plans')
    await page.getByRole('contentinfo').getByText('premium content platform').waitFor()
  })
})
