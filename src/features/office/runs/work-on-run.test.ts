import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { peopleForOffice } from '../../accounts/administrators/people-for-office.server.ts'
import type { App } from '../../../app/app.ts'
import { diskFull } from '../../../platform/database-outages.ts'
import { endRun } from './begin-run.server.ts'
import type { RunQueue } from './run-queue.ts'
import { type RunSteps, takeUpForgottenRuns, workOnRun } from './work-on-run.server.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

const testApp = appOfFile()

const attempt = { isLast: false, isStopping: () => false }

/** Work of one step, which ends the run. */
function oneStep(before: () => Promise<void>, told: string[]): { merge: RunSteps<App> } {
  const merge: RunSteps<App> = {
    async *open(app, run) {
      await before()
      await app.db.transaction().execute(async (trx) => run.finish(trx))
      told.push('finished')
      yield
    },
    fail: () => {
      told.push('failed')
      return Promise.resolve()
    },
  }
  return { merge }
}

const queue: RunQueue<'merge'> = {
  job: defineJob<{ subjectId: string }>('catalogue.work-on-run'),
  takeUpJob: 'catalogue.take-up-runs',
  kinds: ['merge'],
}

async function aRun(): Promise<string> {
  const subjectId = randomUUID()
  await testApp.app.db
    .insertInto('runs')
    .values({ subject_id: subjectId, kind: 'merge', begun_by: (await aMember(testApp.app, { isAdmin: true })).id })
    .execute()
  return subjectId
}

function leaseOf(subjectId: string) {
  return testApp.app.db.selectFrom('runs').select('lease').where('subject_id', '=', subjectId).executeTakeFirst()
}

test('whoever has a run ends it', async () => {
  const told: string[] = []
  const id = await aRun()
  await workOnRun(
    testApp.app,
    queue,
    oneStep(() => Promise.resolve(), told),
    id,
    attempt,
  )
  expect(told).toEqual(['finished'])
  expect(await leaseOf(id)).toBeUndefined()
})

test('a run stops where whoever began it lacks the second factor that the site asks of administrators', async () => {
  const { app } = testApp
  const config = { ...app.config, requiresAdminSecondFactor: true }
  const asking = { ...app, people: peopleForOffice({ ...app, config }) }
  const told: string[] = []
  const work = (id: string) =>
    workOnRun(
      asking,
      queue,
      oneStep(() => Promise.resolve(), told),
      id,
      attempt,
    )
  const id = await aRun()
  await app.db.updateTable('users').set({ has_second_factor: true }).where('is_admin', '=', true).execute()
  const without = await aRun()
  await work(id)
  await work(without)
  expect(told).toEqual(['finished', 'failed'])
  expect(await leaseOf(without)).toBeUndefined()
})

test('whoever has lost a run to another process neither ends it nor gives it up', async () => {
  const told: string[] = []
  const id = await aRun()
  const lease = randomUUID()
  const taken = async (): Promise<void> => {
    await testApp.app.db.updateTable('runs').set({ lease }).where('subject_id', '=', id).execute()
  }
  await workOnRun(testApp.app, queue, oneStep(taken, told), id, { ...attempt, isLast: true })
  expect(told).toEqual([])
  expect(await leaseOf(id)).toEqual({ lease })
})

test('a run waits before the step that the disk has no room for, and goes on from there', async () => {
  const id = await aRun()
  const done: number[] = []
  const merge: RunSteps<App> = {
    async *open(app, run) {
      for (let position = run.position + 1; position <= 3; position += 1) {
        await app.db.transaction().execute((trx) => run.advance(trx, position))
        done.push(position)
        yield
      }
      await app.db.transaction().execute((trx) => run.finish(trx))
    },
    fail: () => Promise.reject(new Error('It was given up.')),
  }
  const refuseStepWhenFull = () => (done.length === 2 ? Promise.reject(diskFull()) : Promise.resolve())
  const full = { ...testApp.app, diskSpace: { refuseStepWhenFull } as unknown as App['diskSpace'] }
  await expect(workOnRun(full, queue, { merge }, id, attempt)).rejects.toMatchObject({ code: 'disk.full' })
  expect(done).toEqual([1, 2])
  await workOnRun(testApp.app, queue, { merge }, id, attempt)
  expect(done).toEqual([1, 2, 3])
  expect(await leaseOf(id)).toBeUndefined()
})

test('a run that nobody has moved for long is put in line again, by the feature that it belongs to', async () => {
  const { db } = testApp.app
  const id = await aRun()
  const added: unknown[] = []
  const app = { db, jobs: { add: (...call: unknown[]) => Promise.resolve(void added.push(call.slice(1))) } }
  const takeUp = (kinds: readonly string[]) =>
    takeUpForgottenRuns(app as unknown as Pick<App, 'db' | 'jobs'>, { ...queue, kinds })
  await takeUp(['merge'])
  expect(added).toEqual([])
  await db.updateTable('runs').set({ advanced_at: '-infinity' }).where('subject_id', '=', id).execute()
  await takeUp(['member_import'])
  expect(added).toEqual([])
  await takeUp(['merge'])
  await takeUp(['merge'])
  expect(added).toEqual([[queue.job, { subjectId: id }]])
})

test('a feature does not touch the run of another one', async () => {
  const told: string[] = []
  const id = await aRun()
  const steps = oneStep(() => Promise.resolve(), told)
  await workOnRun(testApp.app, { ...queue, kinds: ['member_import'] }, { member_import: steps.merge }, id, attempt)
  expect(told).toEqual([])
  expect(await leaseOf(id)).toEqual({ lease: null })
})

test('a run is ended by its own feature, and where that says so by its own kinds, only', async () => {
  const id = await aRun()
  const end = (kinds: readonly string[], only?: readonly string[]) =>
    testApp.app.db
      .transaction()
      .execute((trx) =>
        endRun(trx, { ...queue, kinds }, only === undefined ? { subjectId: id } : { subjectId: id, kinds: only }),
      )
  expect(await end(['member_import'])).toBe(false)
  expect(await end(['merge', 'import'], ['import'])).toBe(false)
  expect(await leaseOf(id)).toEqual({ lease: null })
  expect(await end(['merge', 'import'])).toBe(true)
  expect(await leaseOf(id)).toBeUndefined()
})
