import { beforeEach, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { readAgentStep, readRegistrationEnded, readRegistrationEnding } from './agent-home.server.ts'
import { remindRegistration } from './remind-registration.server.ts'

let told = 0

// The day is the database's, which goes by the real clock.
const opened = appOfFile({ now: new Date().toISOString() })
beforeEach(async () => {
  told = (await readEmails(opened.app)).length
})

/** A day so many days from now. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

function enter(texts: Record<string, string>): void {
  const saved = Object.entries(texts).map(
    ([key, value]) => [key, { value, version: 1, changedAt: new Date() }] as const,
  )
  opened.app.texts.use(new Map(saved))
}

/** The emails of one run. */
async function remind(): Promise<string[]> {
  await remindRegistration(opened.app)
  await drainJobs(opened.app)
  const emails = (await readEmails(opened.app)).slice(told)
  told += emails.length
  return emails.map(({ to, subject }) => `${to}: ${subject}`)
}

test('Nobody is reminded of nothing, and a reminder waits until there is somebody to read it', async () => {
  enter({})
  expect(await remind()).toEqual([])
  enter({ 'agent.until': inDays(30) })
  expect(await remind()).toEqual([])
  const { email } = await aMember(opened.app, { isAdmin: true })
  await aMember(opened.app)
  expect(await remind()).toEqual([`${email}: The registration of the DMCA agent ends in 30 days`])
  expect(await remind()).toEqual([])
})

test.each([
  [60, [], 'ends in 60 days'],
  [14, [60], 'ends in 14 days'],
  [1, [60, 14], 'ends tomorrow'],
  [-1, [60, 14, 1], 'has ended'],
])('With %i days left, and %j told before, one more is told, once', async (left, before, words) => {
  const { db } = opened.app
  const day = inDays(left)
  enter({ 'agent.until': day })
  await db.deleteFrom('agent_reminders').execute()
  for (const days of before)
    await db.insertInto('agent_reminders').values({ registration_ends_on: day, days_before: days }).execute()
  expect(await remind()).toEqual([expect.stringContaining(`The registration of the DMCA agent ${words}`)])
  expect(await remind()).toEqual([])
})

test('61 days before it is too early, and between two reminders nothing is sent', async () => {
  enter({ 'agent.until': inDays(61) })
  expect(await remind()).toEqual([])
  const day = inDays(20)
  enter({ 'agent.until': day })
  await opened.app.db.insertInto('agent_reminders').values({ registration_ends_on: day, days_before: 60 }).execute()
  expect(await remind()).toEqual([])
})

test('What fell due while nothing ran is told in one email, and two processes send one', async () => {
  enter({ 'agent.until': inDays(-3) })
  await Promise.all([remindRegistration(opened.app), remindRegistration(opened.app)])
  expect(await remind()).toHaveLength(1)
  const emails = await readEmails(opened.app)
  expect(emails.at(-1)?.subject).toBe('The registration of the DMCA agent has ended')
  expect(emails.at(-1)?.text).toContain(`ended after ${inDays(-3)}`)
  expect(emails.at(-1)?.links).toContain(`${opened.app.config.publicUrl}/admin/texts`)
})

test('An email that is not out yet when the end is put off is not sent', async () => {
  enter({ 'agent.until': inDays(10) })
  await remindRegistration(opened.app)
  enter({ 'agent.until': inDays(1_000) })
  expect(await remind()).toEqual([])
})

test('The home of the administration tells of it from 60 days before', async () => {
  const { app } = opened
  const lines = async (left: number) => {
    enter({ 'agent.until': inDays(left) })
    return [await readRegistrationEnding(app), ...(await readRegistrationEnded(app))].map((line) => line?.sentence)
  }
  expect(await lines(61)).toEqual([undefined])
  expect(await lines(60)).toEqual(['The registration of the DMCA agent ends in 60 days'])
  expect(await lines(0)).toEqual(['The registration of the DMCA agent ends today'])
  expect(await lines(-1)).toEqual([undefined, expect.stringContaining('has ended')])
})

test('To name the agent is a first step, done with everything that the law asks', async () => {
  const step = async (texts: Record<string, string>) => {
    enter(texts)
    const { isDone, help } = await readAgentStep(opened.app)
    return [isDone, help]
  }
  expect(await step({})).toEqual([false, expect.stringContaining('register an agent')])
  expect(await step({ 'agent.organization': 'The Library' })).toEqual([
    false,
    'Still missing on the page /dmca: postal address and telephone.',
  ])
  const whole = { 'agent.name': 'Copyright Agent', 'agent.address': '1 Main Street', 'agent.phone': '+1 202 555 0100' }
  expect(await step(whole)).toEqual([true, 'Named on the page /dmca.'])
})
