import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteAllItems, someItems } from '../../../tests/harness/items.ts'
import { appOfFile } from '../../../tests/harness/test-app.ts'
import { registerJobs } from '../../platform/jobs/job-contribution.ts'
import { catalogueJobs, catchUpCatalogue } from './jobs.server.ts'

/* The jobs of the catalogue, without the clock. */

const jobs = new Map<string, { cron: string; work: () => Promise<void> }>()

const test = appOfFile()

beforeAll(async () => {
  const { app } = test
  const repeat = (name: string, cron: string, work: () => Promise<void>) => void jobs.set(name, { cron, work })
  const clockwork = Object.assign(Object.create(app.jobs) as typeof app.jobs, { repeat, define: () => {} })
  registerJobs({ ...app, jobs: clockwork }, catalogueJobs)
})

beforeEach(async () => {
  const { app } = test
  await deleteAllItems(app)
  await someItems(app, [{ name: 'Lapsing' }, { name: 'Stays' }])
  await sql`alter table items disable trigger check_item_in_time`.execute(app.db)
  await sql`update items set lapses_at = now() - interval '1 second' where name = 'Lapsing'`.execute(app.db)
  await sql`alter table items enable trigger check_item_in_time`.execute(app.db)
  await sql`delete from catalogue_changes`.execute(app.db)
  await sql`insert into catalogue_changes (version, changed_at)
            values (1, now() - interval '61 minutes'), (2, now() - interval '59 minutes')`.execute(app.db)
})

const statuses = async () =>
  (await test.app.db.selectFrom('items').select(['name', 'status']).orderBy('name').execute()).map(
    ({ name, status }) => `${name} ${status}`,
  )
const oldChanges = async () =>
  (await sql<{ version: string }>`select version::text from catalogue_changes where version < 3`.execute(test.app.db))
    .rows

it('every minute, items whose rights have lapsed are restricted', async () => {
  const job = jobs.get('catalogue.restrict-lapsed')
  expect(job?.cron).toBe('* * * * *')
  await job?.work()
  expect(await statuses()).toEqual(['Lapsing restricted', 'Stays published'])
  expect(await oldChanges()).toHaveLength(2)
})

it('every ten minutes, changes that are older than an hour leave the change feed', async () => {
  const job = jobs.get('catalogue.delete-old-changes')
  expect(job?.cron).toBe('*/10 * * * *')
  await job?.work()
  expect(await oldChanges()).toEqual([{ version: '2' }])
  expect(await statuses()).toEqual(['Lapsing published', 'Stays published'])
})

it('a start does both, before anything else is written', async () => {
  await catchUpCatalogue(test.app)
  expect(await statuses()).toEqual(['Lapsing restricted', 'Stays published'])
  expect(await oldChanges()).toEqual([{ version: '2' }])
})
