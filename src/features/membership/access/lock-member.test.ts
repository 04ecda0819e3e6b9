import { expect, test } from 'vitest'
import { uuidv7 } from 'uuidv7'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { lockMember, releaseLocks } from './lock-member.server.ts'

const testApp = appOfFile()

/** As a process leaves it that died while it held the lock. */
async function abandonedBy(userId: string, lockedUntil: Date): Promise<void> {
  await testApp.app.db
    .insertInto('billing_customers')
    .values({ user_id: userId, lock_holder: uuidv7(), locked_until: lockedUntil })
    .execute()
}

test('one at a time works on a member, and others go on meanwhile', async () => {
  const { app } = testApp
  const [one, other] = [await aMember(app), await aMember(app)]
  const steps: string[] = []
  const work = (userId: string, name: string) =>
    lockMember(app, userId, async () => {
      steps.push(`${name} begins`)
      await new Promise((wake) => setTimeout(wake, 100))
      steps.push(`${name} ends`)
    })
  await Promise.all([work(one.id, 'first'), work(one.id, 'second'), work(other.id, 'stranger')])
  const ofOne = steps.filter((step) => !step.startsWith('stranger'))
  expect(ofOne).toHaveLength(4)
  for (const place of [0, 2]) expect(ofOne[place + 1]).toBe(ofOne[place]?.replace('begins', 'ends'))
})

test('a lock that has lapsed is taken over, and its former holder commits nothing', async () => {
  const { app } = testApp
  const { id } = await aMember(app)
  await lockMember(app, id, async (lock) => {
    await app.db
      .updateTable('billing_customers')
      .set({ locked_until: new Date(0) })
      .where('user_id', '=', id)
      .execute()
    await lockMember(app, id, () => Promise.resolve())
    await expect(lock.commit(() => Promise.resolve('written'))).rejects.toMatchObject({ code: 'billing.busy' })
  })
})

test('the locks of a process that died lapse, or are given back by the only process there is', async () => {
  const { app } = testApp
  const [lapsed, held] = [await aMember(app), await aMember(app)]
  await abandonedBy(lapsed.id, new Date(Date.now() - 1))
  expect(await lockMember(app, lapsed.id, () => Promise.resolve('taken'))).toBe('taken')
  await abandonedBy(held.id, new Date(Date.now() + 3_600_000))
  await releaseLocks(app)
  expect(await lockMember(app, held.id, () => Promise.resolve('taken'))).toBe('taken')
})

test('nobody is locked who has no account', async () => {
  await expect(lockMember(testApp.app, uuidv7(), () => Promise.resolve())).rejects.toMatchObject({
    code: 'member.unknown',
  })
})
