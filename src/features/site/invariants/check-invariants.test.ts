import { afterEach, beforeAll, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { deleteAllItems, someItems } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { writePastRules } from '../../../../tests/harness/past-rules.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { openLog } from '../../../platform/log.ts'
import { readAlarms } from '../../office/alarms/alarms.server.ts'
import { checkInvariants, checkInvariantsJob } from './check-invariants.server.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

const testApp = appOfFile({ log: openLog('silent') })

beforeAll(async () => {
  await aMember(testApp.app, { isAdmin: true })
})
afterEach(() => deleteAllItems(testApp.app))

const past = (statement: string) => writePastRules(testApp.app, statement)

/** The nightly run. */
async function check(): Promise<void> {
  const { app } = testApp
  await app.jobs.add(app.db, defineJob('site.check-invariants'), {})
  await drainJobs(app)
  await app.alarms.settle()
}

const results = () => testApp.app.db.selectFrom('invariant_checks').selectAll().where('broken', '>', 0).execute()

test('a breach is kept, stands on the home of the administration, and is mailed to the administrators, until it is mended', async () => {
  const { app } = testApp
  const [, broken] = await someItems(app, [{ name: 'Whole' }, { name: 'Broken' }])
  await check()
  expect(await results()).toEqual([])
  expect(await readAlarms(app)).toEqual([])

  await past(`update items set version = 7, cleared_version = 7 where id = '${broken?.id}'`)
  await check()
  expect(await results()).toEqual([
    { name: 'items.cleared', checked_at: new Date(app.clock.now()), broken: 1, ids: [broken?.id] },
  ])
  expect(await readAlarms(app)).toEqual([
    {
      alarm: 'invariant items.cleared',
      sentence: expect.stringMatching(
        new RegExp(`^Published entries without a clearance: 1\\. .+ Their ids: ${broken?.id}\\.$`),
      ) as string,
      line: expect.stringContaining('Take these entries off the site') as string,
      since: new Date(app.clock.now()),
      to: `/admin/settings?edit=${broken?.id}`,
    },
  ])
  const mails = await app.db
    .selectFrom('pgboss.job' as 'users')
    .select('data' as 'name')
    .where('name', '=', 'mail')
    .execute()
  expect(JSON.stringify(mails)).toContain('Published entries without a clearance')

  await past(`update items set version = 1, cleared_version = 1 where id = '${broken?.id}'`)
  await check()
  expect(await results()).toEqual([])
  expect(await readAlarms(app)).toEqual([])
})

test('a step that has no time left, or is to stop, puts the rest in line, and the check goes on from there', async () => {
  const { app } = testApp
  await someItems(
    app,
    Array.from({ length: 2_003 }, (_, place) => ({ name: `Work ${place}` })),
  )
  await past(`insert into deleted_items (item_id) select id from items order by no desc limit 1`)
  for (const stop of [
    { forMs: -1, isStopping: false },
    { forMs: 60_000, isStopping: true },
  ]) {
    await app.db.deleteFrom('invariant_checks').execute()
    await checkInvariants(app, {}, { isStopping: () => stop.isStopping }, { forMs: stop.forMs })
    const line = await app.db
      .selectFrom('pgboss.job' as 'users')
      .select('data' as 'name')
      .where('name', '=', checkInvariantsJob.name)
      .where('state' as 'id', '=', 'created')
      .execute()
    expect(line).toMatchObject([
      { data: { begun: { broken: 0, ids: [], after: expect.stringMatching(/^\d+$/) as string } } },
    ])
    expect(await results()).toEqual([])
    await drainJobs(app)
    expect(await results()).toMatchObject([{ name: 'items.new-ids', broken: 1 }])
  }
})

test('a step of an invariant that there is no more ends', async () => {
  const { app } = testApp
  await app.db.deleteFrom('invariant_checks').execute()
  await checkInvariants(
    app,
    { begun: { name: 'items.gone', after: null, broken: 0, ids: [] } },
    { isStopping: () => false },
  )
  expect(await app.db.selectFrom('invariant_checks').selectAll().execute()).toEqual([])
})
