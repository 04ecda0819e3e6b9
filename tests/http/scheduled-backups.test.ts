import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readAlarms } from '../../src/features/office/alarms/alarms.server.ts'
import { backupCheck, readBackupProblem, readBackupStep } from '../../src/features/site/backup/backup-health.server.ts'
import { lastDue } from '../../src/features/site/backup/last-due.ts'
import { backUpIfDue, type MakeBackup } from '../../src/features/site/backup/scheduled-backups.server.ts'
import { readAdminHome } from '../../src/features/site/home/read-admin-home.server.ts'
import { openLog } from '../../src/platform/log.ts'
import { viewerOf } from '../harness/members.ts'
import { openTestApp, type TestApp } from '../harness/test-app.ts'

/* Backups of the clock (docs/spec/backups.md#scheduled). The file that is made is not looked at here. */

let opened: TestApp
let folder: string
let made = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-scheduled-'))
})
beforeEach(async () => {
  made = 0
  opened = await openTestApp({
    now: '2026-03-05T12:00:00Z',
    log: openLog('silent'),
    env: { BACKUP_TO: folder, BACKUP_KEEP: '2' },
  })
})
afterEach(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const make: MakeBackup = async (path) => {
  made += 1
  await writeFile(path, 'A backup')
}
const failing: MakeBackup = () => Promise.reject(new Error('There is no room.'))

const look = (how = make, signal = new AbortController().signal): Promise<boolean> => {
  const due = lastDue('03:00', opened.clock.now(), 'UTC') as number
  return backUpIfDue(opened.app, how, { due, signal })
}
const finding = async () => {
  for await (const one of backupCheck.examine(opened.app)) return one
  return undefined
}

test('one is made a day, once, also by two processes; a missed one is made up, and the newest are kept', async () => {
  expect(await look()).toBe(true)
  expect(made, 'a new site has missed none').toBe(0)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'daybook-20200101-030000-before-0.2.0.backup'), 'Not of the clock')
  for (let day = 0; day < 4; day += 1) {
    opened.clock.advance(86_400_000)
    await Promise.all([look(), look()])
  }
  expect(made).toBe(4)
  expect((await readdir(folder)).toSorted()).toEqual([
    'daybook-20200101-030000-before-0.2.0.backup',
    'daybook-20260308-120000.backup',
    'daybook-20260309-120000.backup',
  ])
  expect(await finding()).toMatchObject({
    state: 'good',
    sentence: 'The last backup is daybook-20260309-120000.backup, of 2026-03-09 12:00, with 0.1 MB.',
  })
  expect(await readBackupStep(opened.app)).toMatchObject({ isDone: true })
  opened.clock.advance(3 * 86_400_000)
  expect(await finding()).toMatchObject({ state: 'warning' })
})

test('a failure is an alarm, stands at /admin and in the doctor, and is tried again after an hour', async () => {
  await look()
  opened.clock.advance(86_400_000)
  expect(await look(failing)).toBe(false)
  await opened.app.alarms.settle()
  expect((await readAlarms(opened.app))[0]?.sentence).toContain('The backup of the clock failed: There is no room.')
  expect(await readBackupProblem(opened.app)).toMatchObject([
    { sentence: 'A backup failed', line: 'There is no room. It is tried again every hour. There is no backup yet.' },
  ])
  // One row for both.
  const { rows } = await readAdminHome(opened.app, viewerOf({ id: '0193a3a0-0000-7000-8000-000000000001' }, 'admin'))
  expect(rows.map(({ sentence }) => sentence).filter((sentence) => /backup/i.test(sentence))).toEqual([
    'A backup failed',
  ])
  expect(await finding()).toMatchObject({ state: 'warning' })
  await look()
  expect(made).toBe(0)
  opened.clock.advance(3_600_001)
  expect(await look()).toBe(true)
  expect(made).toBe(1)
  expect(await readAlarms(opened.app)).toEqual([])
  expect(await readBackupProblem(opened.app)).toEqual([])
})

test('a stop is no failure: the next look makes it', async () => {
  await look()
  opened.clock.advance(86_400_000)
  const stop = new AbortController()
  stop.abort()
  expect(await look(failing, stop.signal)).toBe(false)
  expect(await readBackupProblem(opened.app)).toEqual([])
  expect(await look()).toBe(true)
})
