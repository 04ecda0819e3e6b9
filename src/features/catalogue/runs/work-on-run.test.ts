import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../../../tests/harness/members.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { type RunKind, type RunSteps, workOnRun } from './work-on-run.server.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

const attempt = { isLast: false, isStopping: () => false }

/** Work of one step, which ends the run. */
function oneStep(before: () => Promise<void>, told: string[]): Readonly<Record<RunKind, RunSteps>> {
  const steps: RunSteps = {
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
  return {
    import_check: steps,
    import: steps,
    bulk_preview: steps,
    bulk_apply: steps,
    bulk_undo: steps,
    merge: steps,
  }
}

async function aRun(): Promise<string> {
  const subjectId = randomUUID()
  await testApp.app.db
    .insertInto('catalogue_runs')
    .values({ subject_id: subjectId, kind: 'merge', begun_by: (await aMember(testApp.app, { isAdmin: true })).id })
    .execute()
  return subjectId
}

function leaseOf(subjectId: string) {
  return testApp.app.db
    .selectFrom('catalogue_runs')
    .select('lease')
    .where('subject_id', '=', subjectId)
    .executeTakeFirst()
}

test('whoever has a run ends it', async () => {
  const told: string[] = []
  const id = await aRun()
  await workOnRun(
    testApp.app,
    oneStep(() => Promise.resolve(), told),
    id,
    attempt,
  )
  expect(told).toEqual(['finished'])
  expect(await leaseOf(id)).toBeUndefined()
})

test('whoever has lost a run to another process neither ends it nor gives it up', async () => {
  const told: string[] = []
  const id = await aRun()
  const lease = randomUUID()
  const taken = async (): Promise<void> => {
    await testApp.app.db.updateTable('catalogue_runs').set({ lease }).where('subject_id', '=', id).execute()
  }
  await workOnRun(testApp.app, oneStep(taken, told), id, { ...attempt, isLast: true })
  expect(told).toEqual([])
  expect(await leaseOf(id)).toEqual({ lease })
})
