import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { openLog } from '../../../platform/log.ts'
import { blockingFingerprintsOf } from '../item/link-fingerprints.server.ts'
import { lockCatalogue, updateItems } from '../publishing/save-items.server.ts'
import { removeItems } from './remove-items.server.ts'
import { type ChangeableItem, readChangeableItems } from '../publishing/stored-item.server.ts'

/*
 * Publishing and blocking at the same moment never leave a blocked link published (docs/spec/publishing.md#removed). On
 * PostgreSQL each runs on a connection of its own; the embedded database has one, and does one after the other.
 */

const opened = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

const pairs = 1_000
const pairsAtOnce = 5

const linkOf = (i: number) => `https://files.example/works/${i}.zip`
/** The same link in another spelling each time. */
const speltOf = (i: number) =>
  [`http://www.files.example/works/${i}.zip#x`, `https://files.example/works/${i}.zip?dl=1`][i % 2]

/** Writes the published row as code that knows nothing of what is blocked would, with or without the lock of all writers. */
async function publish(item: ChangeableItem, isLocking: boolean): Promise<void> {
  const { app } = opened
  await app.db.transaction().execute(async (trx) => {
    if (isLocking) await lockCatalogue(trx)
    await updateItems(app, trx, [{ ...item, isPublished: true, otherwise: 'draft' }], {
      by: 'test',
      at: app.clock.now(),
    })
  })
}

/** As a decision does it, or as a console could: the links alone, and nothing of the items that have them. */
async function block(item: MadeItem, link: string, isWhole: boolean): Promise<void> {
  const { app } = opened
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    if (isWhole) {
      await removeItems(trx, {
        reference: 'N-1',
        itemIds: [item.id],
        answer: 451,
        kind: 'Copyright',
        by: 'system',
      })
      return
    }
    await sql`
      with removal as (
        insert into item_removals (id, item_id, reference, answer, kind, status_before, gives_back, removed_by)
        values (${randomUUID()}::uuid, ${item.id}::uuid, 'N-1', 451, 'Copyright', 'published', true, 'me') returning id),
      gone as (update items set status = 'removed' where id = ${item.id}::uuid)
      insert into blocked_links (fingerprint, removal_id)
      select unnest(${blockingFingerprintsOf(link)}::bigint[]), id from removal`.execute(trx)
  })
}

test('a thousand pairs of a publication and a removal, each at the same moment', { timeout: 240_000 }, async () => {
  const { app } = opened
  const made = await someItems(
    app,
    Array.from({ length: pairs }, (_, i) => [
      { name: `Reported ${i}`, link: linkOf(i) },
      { name: `Published ${i}`, link: speltOf(i) ?? '', status: 'draft' as const },
    ]).flat(),
  )
  const drafts = await readChangeableItems(app.db, (where) => where('items.status', '=', 'draft'), pairs)
  const outcomes: Record<string, number> = {}
  const note = (outcome: string) => void (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1)
  for (let first = 0; first < pairs; first += pairsAtOnce) {
    const works = Array.from({ length: pairsAtOnce }, (_, place) => {
      const reported = made[2 * (first + place)] as MadeItem
      const publishing = () =>
        publish(drafts[first + place] as ChangeableItem, (first + place) % 100 !== 7).then(
          () => note('published'),
          (error: { code?: string }) => note(error.code ?? 'other'),
        )
      // Without the lock the two may wait for each other, and the database ends one of them (40P01).
      const blocking = async () => {
        for (;;) {
          try {
            return await block(reported, linkOf(first + place), (first + place) % 50 === 0)
          } catch (error) {
            if ((error as { code?: string }).code !== '40P01') throw error
          }
        }
      }
      return (first + place) % 2 === 0 ? [publishing, blocking] : [blocking, publishing]
    })
    await Promise.all(works.flat().map((work) => work()))
  }
  const { rows: published } = await sql<{ name: string }>`
    select name from items i where status = 'published'
       and (name like 'Published%' or exists (select from blocked_links b where b.fingerprint = any(i.link_fingerprints)))`.execute(
    app.db,
  )
  expect(published).toEqual([])
  expect(Object.keys(outcomes).filter((outcome) => !['published', 'DB014', '40P01'].includes(outcome))).toEqual([])
  // Both orders have happened.
  expect(outcomes['published']).toBeGreaterThan(0)
  expect(outcomes['DB014']).toBeGreaterThan(0)
})
