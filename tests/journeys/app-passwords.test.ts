import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { ageProof, aMember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const now = '2024-03-15T12:00:00Z'

const server = serverOfFile({ now })
const { visit } = visitsOfFile(server)

test('A member makes a password for a reading program, which then reads the catalogue, and ends it', () =>
  visit({ now, expects: [/status of 403/] }, async (page) => {
    const { email, password, id } = await aMember(server.app)
    await page.goto('/login?next=%2Faccount')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.waitForURL('**/account')
    const section = page.getByRole('region', { name: 'App Passwords', exact: true })
    await section.getByRole('button', { name: 'New App Password' }).click()
    await page.getByRole('button', { name: 'Create password' }).click()
    await page.getByText('Name is required').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('KOReader')
    await page.getByRole('button', { name: 'Create password' }).click()
    const made = page.getByRole('region', { name: 'The app password “KOReader”' })
    const shown = await made.innerText()
    expect(shown).toContain(`${server.url}/opds`)
    expect(shown).toContain(email)
    const [secret = ''] = /(?:[0-9a-f]{4}-){7}[0-9a-f]{4}/.exec(shown) ?? []
    await expectAccessible(page)
    const read = async (): Promise<number> => {
      const authorization = `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`
      return (await server.request('/opds', { headers: { authorization } })).status
    }
    expect(await read()).toBe(200)
    await made.getByRole('button', { name: 'I have typed it in' }).click()
    await page.reload()
    const row = section.getByRole('listitem')
    await row.waitFor()
    expect(await row.innerText()).toMatch(/KOReader\s+Made March 15, 2024\s+Last used within the last hour/)
    expect(await page.content()).not.toContain(secret)

    // Meanwhile the proof of the sign-in is too old.
    await ageProof(server.app, { id }, 16)
    await row.getByRole('button', { name: /^End/ }).click()
    const proof = page.getByRole('dialog')
    await proof.getByLabel('Current password').fill(password)
    await proof.getByRole('button', { name: 'Confirm', exact: true }).click()
    await section.getByText('“KOReader” no longer works.').waitFor()
    expect(await row.count()).toBe(0)
    expect(await read()).toBe(401)
  }))
