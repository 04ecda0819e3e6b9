import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { visitsOfFile } from '../harness/browser.ts'
import { type MadeItem, someItems } from '../harness/items.ts'
import { ageProof, aMember, bearer, type MadeMember, post, remember, signIn } from '../harness/members.ts'
import { aNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** The first administrator, who is the safety officer too. */
let ada: MadeMember
let ana: MadeMember

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  ada = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
  ana = await aMember(server.app, { name: 'Ana Second', isAdmin: true })
  await server.app.db.updateTable('users').set({ is_safety_officer: true }).where('id', '=', ada.id).execute()
})

const documentWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
const told = (page: Page, sentence: string) => page.getByRole('status').getByText(sentence, { exact: true }).waitFor()
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).press('Enter')

const decisionThat = (page: Page, standing: 'In force' | 'Reversed') =>
  page.getByRole('article', { name: /^Decision/ }).filter({ has: page.getByText(standing, { exact: true }) })

/** Acts that are rare wait in a menu. */
async function more(page: Page, name: string): Promise<void> {
  await press(page, 'More')
  await page.getByRole('menuitem', { name }).press('Enter')
}

async function statusOf(slug: string): Promise<number> {
  return (await server.request(`/western/${slug}`)).status
}

test('An administrator works a notice from the queue to a decision and its reversal by the keyboard', async () => {
  const [letters, other] = (await someItems(server.app, [
    { name: 'Letters from a Lighthouse' },
    { name: 'Letters, volume two', link: 'https://mega.nz/file/two' },
  ])) as [MadeItem, MadeItem]
  const { reference } = await aNotice(server.app, {
    urls: [letters.slug],
    missing: ['signature'],
    name: 'Clara Claimant of the Lighthouse Press and its very many successors',
    email: 'clara@lighthouse.example',
    explanation: 'The translation is mine.',
    signature: null,
    address: null,
    phone: null,
    workDescription: null,
  })
  const elsewhere = await signIn(server, ana)

  await visit({ theme: 'light', expects: [/status of 40[349]|status of 422/] }, async (page) => {
    await remember(page, server, ada)
    await page.goto('/admin')
    await page
      .getByRole('navigation', { name: 'Administration' })
      // One that is incomplete waits for its sender.
      .getByRole('link', { name: 'Notices', exact: true })
      .press('Enter')
    await page.getByRole('button', { name: 'Waiting (0)', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Incomplete (1)' }).press('Enter')
    await page.getByRole('button', { name: 'Incomplete (1)', pressed: true }).waitFor()
    const row = page.locator('tbody tr')
    await expect.poll(() => row.allTextContents()).toEqual([expect.stringContaining('1 of 8 missing')])
    await expectAccessible(page)
    await page.getByRole('link', { name: reference }).press('Enter')
    await page.waitForURL(`**/admin/notices/${reference}`)
    await page.getByRole('heading', { name: `Copyright ${reference}`, level: 1 }).waitFor()
    expect(await page.title()).toContain(`Copyright ${reference}`)
    await expectAccessible(page)

    // A dialog gives the keyboard back to the button that opened it.
    for (const name of ['Ask for information', 'Change kind', 'Attach an entry', 'Mark as duplicate']) {
      const opener = name === 'Ask for information' ? name : 'More'
      await (opener === name ? press(page, name) : more(page, name))
      await page.getByRole('dialog', { name }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toBe(opener)
    }

    // The sender is asked; what was typed outlives a reload.
    await press(page, 'Ask for information')
    const dialog = page.getByRole('dialog', { name: 'Ask for information' })
    expect(await dialog.getByLabel('Signature').isChecked()).toBe(true)
    await dialog.getByLabel('Message').fill('Please sign it.')
    await page.reload()
    await press(page, 'Ask for information')
    await expect.poll(() => dialog.getByLabel('Message').inputValue()).toBe('Please sign it.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Ask' }).press('Enter')
    await told(page, 'The sender was asked.')
    await dialog.waitFor({ state: 'detached' })

    // Another entry is attached, and an address that leads nowhere is refused beside its field.
    await more(page, 'Attach an entry')
    await page.getByLabel('Address of its page').fill('/western/no-such-entry-at-all')
    await page.getByRole('button', { name: 'Attach', exact: true }).press('Enter')
    await expect.poll(() => page.getByRole('dialog').getByRole('alert').allTextContents()).not.toEqual([''])
    await page.getByLabel('Address of its page').fill(`/western/${other.slug}`)
    await page.getByLabel('Address of its page').press('Enter')
    await told(page, 'The entry was attached.')
    const detach = page.getByRole('button', { name: /^Detach Letters, volume two/ })
    await detach.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Detach Letters, volume two')
    await detach.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).press('Enter')
    await told(page, 'The entry was detached.')

    await press(page, 'Begin review')
    await told(page, 'The review has begun.')
    // The button is gone, and the focus is on the next step.
    await expect.poll(() => focused(page)).toBe('Decide')

    // Nothing goes without outcome, ground, law, facts and explanation.
    await press(page, 'Decide')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
    expect(await focused(page)).toBe('Decide')
    await press(page, 'Preview')
    await page.getByText('Choose what is decided.').waitFor()
    for (const sentence of [
      'Choose the ground.',
      'Name the law or the term.',
      'Write down the facts.',
      'Write the explanation.',
    ])
      await page.getByText(sentence).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('outcome')
    await expectAccessible(page)
    await page.keyboard.press('Space')
    expect(await page.getByLabel('Remove', { exact: true }).isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type('17 U.S.C. § 512(c)')
    await page.keyboard.press('Tab')
    await page.keyboard.type('The translation of 1987 is protected.')

    // A reload, and what another administrator does meanwhile, lose nothing of it.
    await page.reload()
    await page.getByText('You typed this earlier and have not sent it.').waitFor()
    await expect.poll(() => page.getByLabel('Facts').inputValue()).toBe('The translation of 1987 is protected.')
    expect(await page.getByLabel('Remove', { exact: true }).isChecked()).toBe(true)
    await page.getByLabel('Explanation').fill('The entry is that translation.')
    const { version } = (await server.request(`/api/notices/${reference}`, { headers: bearer(elsewhere) })).json() as {
      version: number
    }
    const added = { add: `/western/${other.slug}`, version }
    expect((await post(server, `/api/notices/${reference}/entries`, added, bearer(elsewhere))).status).toBe(200)
    await press(page, 'Preview')
    await page.getByRole('heading', { name: 'This notice changed while you were writing' }).waitFor()
    await page
      .getByText(/^Ana Second added an address/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await press(page, 'Continue from here')
    await expect.poll(() => page.getByLabel('Explanation').inputValue()).toBe('The entry is that translation.')

    // Read before it goes, and sent once.
    await press(page, 'Preview')
    await page.getByRole('heading', { name: 'Before you send it' }).waitFor()
    await page.getByText('clara@lighthouse.example').last().waitFor()
    expect(await statusOf(letters.slug)).toBe(200)
    await expectAccessible(page)
    await press(page, 'Remove 2 entries')
    const question = page.getByRole('dialog', { name: 'Remove 2 entries?' })
    await ageProof(server.app, ada, 61)
    await question.getByRole('button', { name: 'Remove 2 entries' }).dblclick()
    const proof = page.getByRole('dialog', { name: "Confirm it's you" })
    await proof.getByLabel('Current password', { exact: true }).fill(ada.password)
    await proof.getByLabel('Current password', { exact: true }).press('Enter')
    await told(page, 'The decision was sent.')
    await expect.poll(() => focused(page)).toBe('Decision')
    expect(await page.getByRole('article', { name: /^Decision / }).count()).toBe(1)
    await decisionThat(page, 'In force').getByRole('heading', { name: 'Removed, because it is illegal' }).waitFor()
    await expectAccessible(page)
    for (const { slug } of [letters, other]) expect(await statusOf(slug)).toBe(451)

    // A second decision takes its place.
    await press(page, 'Reverse or change this decision')
    await expect.poll(() => focused(page)).toBe('A new decision')
    await page.getByLabel('Keep', { exact: true }).check()
    await page.getByLabel('Lawful', { exact: true }).check()
    await page.getByLabel('The law', { exact: true }).fill('17 U.S.C. § 512(c)')
    await page.getByLabel('Facts').fill('It is the translation of 1887.')
    await page.getByLabel('Explanation').fill('That one is in the public domain.')
    await press(page, 'Preview')
    await press(page, 'Keep 2 entries')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep 2 entries' }).press('Enter')
    await told(page, 'The decision was sent.')
    await decisionThat(page, 'In force').getByRole('heading', { name: 'Kept' }).waitFor()
    await decisionThat(page, 'Reversed').getByRole('heading', { name: 'Removed, because it is illegal' }).waitFor()
    for (const { slug } of [letters, other]) expect(await statusOf(slug)).toBe(200)

    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Close' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter')
    await told(page, 'The notice was closed.')
    await page.getByRole('link', { name: 'Back to Notices' }).press('Enter')
    await page.getByText('No notice is waiting.').waitFor()
    await press(page, 'Closed')
    await page.getByRole('link', { name: reference }).waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await documentWidth(page)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })

  // A notice that is made one about a child at risk is for others as if it were not there.
  const handedOn = await aNotice(server.app, { kind: 'other', urls: [other.slug] })
  await visit({ theme: 'light', expects: [/status of 404/] }, async (page) => {
    await remember(page, server, ana)
    await page.goto(`/admin/notices/${handedOn.reference}`)
    await more(page, 'Change kind')
    await page.getByLabel('Kind', { exact: true }).selectOption('child-safety')
    await page.getByRole('dialog').getByRole('button', { name: 'Change kind' }).press('Enter')
    await page.waitForURL('**/admin/notices')
    await page.goto(`/admin/notices/${handedOn.reference}`)
    await page.getByRole('heading', { name: 'There is no such notice' }).waitFor()
    await expectAccessible(page)
  })
})
