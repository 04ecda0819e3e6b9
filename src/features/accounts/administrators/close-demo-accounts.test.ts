import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { demoAdministrator, demoLoginsFile } from '../demo/fill-demo-accounts.server.ts'
import { closeDemoAccounts } from './close-demo-accounts.server.ts'

let site: TestApp
beforeEach(async () => {
  site = await openTestApp()
})
afterEach(() => site.close())

/** The start of a public site where the demo's administrator has the password that the demo has made. */
async function closeAfterTrial(): Promise<void> {
  const { app } = site
  const { email, password } = await aMember(app, { email: demoAdministrator, isAdmin: true })
  await writeFile(demoLoginsFile(app.config), JSON.stringify({ [email]: password }))
  await closeDemoAccounts({ ...app, config: { ...app.config, isPublic: true } })
}

const administrators = async () =>
  (await site.app.db.selectFrom('users').select('email').where('is_admin', '=', true).execute()).map(
    ({ email }) => email,
  )

test("the demo's administrator loses the role to another one, who is told by email", async () => {
  const head = await aMember(site.app, { isAdmin: true })
  await closeAfterTrial()
  expect(await administrators()).toEqual([head.email])
  await drainJobs(site.app)
  const told = (await readEmails(site.app)).find(({ to }) => to === head.email)
  expect(told?.subject).toMatch(/^An administrator lost the role/)
  const { events } = await site.app.db
    .selectFrom('audit_events')
    .select((count) => count.fn.countAll<string>().as('events'))
    .where('action', '=', 'role.withdrawn')
    .executeTakeFirstOrThrow()
  expect(Number(events)).toBe(1)
})

test('the mark of a safety officer goes to another administrator, as the role goes from the demo', async () => {
  const { app } = site
  const { email, password } = await aMember(app, { email: demoAdministrator, isAdmin: true })
  const head = await aMember(app, { isAdmin: true })
  await writeFile(demoLoginsFile(app.config), JSON.stringify({ [email]: password }))
  await closeDemoAccounts({ ...app, config: { ...app.config, isPublic: true } })
  expect(await administrators()).toEqual([head.email])
  const officers = await app.db.selectFrom('users').select('email').where('is_safety_officer', '=', true).execute()
  expect(officers).toEqual([{ email: head.email }])
})

test('without another administrator the role stays, and the log says how it is taken', async () => {
  const warn = vi.spyOn(site.app.log, 'warn').mockImplementation(() => {})
  await closeAfterTrial()
  expect(await administrators()).toEqual([demoAdministrator])
  expect(warn.mock.calls).toContainEqual([
    { accounts: [demoAdministrator] },
    expect.stringMatching(/keep the role, .* admin create and admin safety-officer .*, then admin demote/),
  ])
})
