import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { rowNames, visitsOfFile } from '../harness/browser.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { kill, type Started, startDaybook } from '../harness/processes.ts'

/*
 * A backup of a library in use, made while it runs and restored (docs/spec/backups.md), with PostgreSQL here into the other
 * engine: the copy serves visitors, members and administrators in rehearsal as the library does.
 */

const prepared = inject('preparedDatabase')
const database = `daybook_copy_${randomUUID().slice(0, 8)}`
const usual = { NODE_ENV: 'production', PORT: '0', EMBEDDED_SYNC: 'off', REQUIRE_ADMIN_SECOND_FACTOR: '0' }
const copy = { url: '' }
const processes: Started[] = []
let folder: string
let logins: Record<string, string>

async function start(words: string[], env: Record<string, string>): Promise<Started> {
  const started = startDaybook(words, { ...usual, ...env })
  processes.push(started)
  return started
}

async function run(args: string[], env: Record<string, string>): Promise<void> {
  const command = await start(args, env)
  expect(await command.ended, command.output()).toBe(0)
}

const { visit } = visitsOfFile(copy)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-copy-'))
  const source = { DATA_DIR: join(folder, 'site'), DEMO: '1' }
  const site = await start([], source)
  await site.said(/is open at (http:\/\/localhost:\d+)/)
  logins = JSON.parse(await readFile(join(folder, 'site', 'demo-logins.json'), 'utf8')) as Record<string, string>
  const backup = join(folder, 'site.backup')
  await run(['backup', backup], { DATA_DIR: source.DATA_DIR })
  const target: Record<string, string> = { DATA_DIR: join(folder, 'copy'), DEMO: '0', PAYMENTS: 'off' }
  if (prepared.engine === 'postgresql') {
    await onServer(prepared.serverUrl, `create database ${database}`)
    target['DATABASE_URL'] = databaseUrl(prepared.serverUrl, database)
  }
  await run(['restore', backup], target)
  copy.url = await (await start([], target)).said(/is open at (http:\/\/localhost:\d+)/)
})
afterAll(async () => {
  for (const started of processes) await kill(started)
  if (prepared.engine === 'postgresql')
    await onServer(prepared.serverUrl, `drop database if exists ${database} with (force)`)
  await rm(folder, { recursive: true, force: true })
})

const banner = (page: Page) => page.getByText('Rehearsal: this is a copy. It sends no email and takes no payment.')

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(logins[email] as string)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

test('A visitor finds an entry in a restored copy and opens it', () =>
  visit({}, async (page) => {
    await page.goto('/western')
    await banner(page).waitFor()
    await page.getByPlaceholder('Search by name...').fill('comedy errors')
    await expect.poll(async () => (await rowNames(page))[0]).toContain('The Comedy of Errors')
    await page.locator('#entries .entries a').first().click()
    await page.getByRole('heading', { level: 1, name: 'The Comedy of Errors' }).waitFor()
  }))

test('A VIP signs in to a restored copy with their password, and reads the VIP list', () =>
  visit({}, async (page) => {
    await signIn(page, 'vip@demo.example')
    await page.goto('/account')
    await page.getByText('vip@demo.example').first().waitFor()
    await page.goto('/vip-western')
    await expect.poll(async () => (await rowNames(page)).length).toBeGreaterThan(10)
  }))

test('An administrator edits an entry of a restored copy', () =>
  visit({}, async (page) => {
    await signIn(page, 'admin@demo.example')
    await page.goto('/admin/settings?tab=unknown')
    const row = page.getByRole('listitem').filter({ hasText: 'Beowulf' })
    await row.getByRole('button', { name: /^Edit/ }).click()
    const panel = page.getByRole('dialog', { name: 'Edit an entry' })
    const name = panel.getByLabel('Name', { exact: true })
    await expect.poll(() => name.inputValue()).not.toBe('')
    await name.fill('Edited in the rehearsal')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('Saved and published.').waitFor()
    await page.goto('/unknown')
    await expect.poll(() => rowNames(page)).toContainEqual(expect.stringContaining('Edited in the rehearsal'))
  }))
