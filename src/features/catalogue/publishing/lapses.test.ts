import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { deleteAllItems, editItem, type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { writePastRules } from '../../../../tests/harness/past-rules.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { openLog } from '../../../platform/log.ts'
import { fillDemoCatalogue } from '../demo/fill-demo-catalogue.server.ts'
import { beginRecheck, recheckPublished, recheckPublishedJob } from './recheck-published.server.ts'
import { restrictLapsedItems } from './restrict-lapsed-items.server.ts'
import { notifyOfLapses } from './notify-of-lapses.server.ts'

const hourMs = 3_600_000

const testApp = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

beforeAll(async () => {
  await aMember(testApp.app, { email: 'one@desk.example', isAdmin: true })
  await aMember(testApp.app, { email: 'two@desk.example', isAdmin: true })
  await aMember(testApp.app, { email: 'reader@desk.example' })
})
beforeEach(async () => {
  // A day after what the test before has told.
  testApp.clock.advance(25 * hourMs)
  await writePastRules(testApp.app, 'delete from audit_chain', 'delete from audit_events')
})
afterEach(() => deleteAllItems(testApp.app))

/** No statement may publish what has lapsed, so time is made to pass behind the triggers' back. */
async function lapse(...items: readonly (MadeItem | undefined)[]): Promise<void> {
  for (const item of items) {
    await writePastRules(
      testApp.app,
      `update items set rights_valid_until = now() - interval '1 minute', lapses_at = now() - interval '1 minute'
        where id = '${item?.id}'`,
    )
  }
}

const prohibit = (term: string) =>
  writePastRules(testApp.app, `insert into prohibited_terms (term_folded) values ('${term}')`)
const permit = (term: string) =>
  writePastRules(testApp.app, `delete from prohibited_terms where term_folded = '${term}'`)

const restrictions = () =>
  testApp.app.db
    .selectFrom('audit_events')
    .select(['actor', 'subject_id', 'details'])
    .where('action', '=', 'item.restricted')
    .orderBy('id')
    .execute()

const standing = async () =>
  Object.fromEntries(
    (await testApp.app.db.selectFrom('items').select(['name', 'status', 'restriction']).execute()).map(
      ({ name, status, restriction }) => [name, restriction ?? status],
    ),
  )

const listed = async () =>
  (
    await testApp.app.db
      .selectFrom('lapsed_items as l')
      .innerJoin('items as i', 'i.no', 'l.item_no')
      .select('i.name')
      .orderBy('i.no')
      .execute()
  ).map(({ name }) => name)

/** The subjects of the emails that came since the last call, with their readers. */
let seen = 0
async function emails() {
  await drainJobs(testApp.app)
  const all = await readEmails(testApp.app)
  return all.slice(seen, (seen = all.length))
}

describe('Items whose rights have lapsed', () => {
  test('are restricted in parts, each with its line in the audit log, and stand on the list of lapsed items', async () => {
    const { app } = testApp
    const items = await someItems(
      app,
      ['A', 'B', 'C'].map((name) => ({ name, validTo: '2999-01-01' })),
    )
    await someItems(app, [{ name: 'Lasting', validTo: '2999-01-01' }])
    await lapse(...items)
    expect(await restrictLapsedItems(app, 2)).toBe(3)
    expect(await standing()).toEqual({
      A: 'rights_lapsed',
      B: 'rights_lapsed',
      C: 'rights_lapsed',
      Lasting: 'published',
    })
    expect(await restrictions()).toEqual(
      items.map(({ id, slug, name }) => ({
        actor: 'system',
        subject_id: id,
        details: { name, slug, restriction: 'rights_lapsed' },
      })),
    )
    expect(await listed()).toEqual(['A', 'B', 'C'])
  })

  test('leave the list when they are published again, made a draft or deleted', async () => {
    const { app } = testApp
    const [a, b, c, d] = await someItems(
      app,
      ['A', 'B', 'C', 'D'].map((name) => ({ name, validTo: '2999-01-01' })),
    )
    await lapse(a, b, c, d)
    await restrictLapsedItems(app)
    if (a !== undefined) await editItem(app, a, { name: 'A', validTo: '2999-01-01' })
    await app.db
      .updateTable('items')
      .set({ status: 'draft' })
      .where('id', '=', b?.id ?? '')
      .execute()
    await app.db
      .deleteFrom('items')
      .where('id', '=', c?.id ?? '')
      .execute()
    expect(await listed()).toEqual(['D'])
  })
})

describe('Administrators', () => {
  test('are told of the first item at once, and of those that follow within a day in one email', async () => {
    const { app, clock } = testApp
    const items = await someItems(
      app,
      Array.from({ length: 24 }, (_, place) => ({ name: `Work ${place + 1}`, validTo: '2999-01-01' })),
    )
    await notifyOfLapses(app)
    expect(await emails()).toEqual([])

    await lapse(items[0])
    await restrictLapsedItems(app)
    await Promise.all([notifyOfLapses(app), notifyOfLapses(app)])
    const first = await emails()
    expect(first.map(({ to, subject }) => `${to}: ${subject}`).toSorted()).toEqual([
      'one@desk.example: 1 entry was taken off the site at Daybook',
      'two@desk.example: 1 entry was taken off the site at Daybook',
    ])
    expect(first[0]?.text).toContain("'Work 1': its rights have ended.")
    expect(first[0]?.links).toContain(`${app.config.publicUrl}/admin/rights?show=lapsed`)

    await lapse(...items.slice(1))
    await restrictLapsedItems(app)
    clock.advance(23 * hourMs)
    await notifyOfLapses(app)
    expect(await emails()).toEqual([])
    // An entry that was dealt with meanwhile is not reported.
    await app.db
      .updateTable('items')
      .set({ status: 'draft' })
      .where('id', '=', items[1]?.id ?? '')
      .execute()
    clock.advance(hourMs)
    await notifyOfLapses(app)
    await notifyOfLapses(app)
    const second = await emails()
    expect(second.map(({ subject }) => subject)).toEqual([
      '22 entries were taken off the site at Daybook',
      '22 entries were taken off the site at Daybook',
    ])
    expect(second[0]?.text.match(/its rights have ended/g)).toHaveLength(20)
    expect(second[0]?.text).toContain('And 2 more.')
    expect(second[0]?.text).not.toMatch(/'Work 2'/)
  })

  test('are told of a consent that was withdrawn by whatever code', async () => {
    const { app } = testApp
    const [portrait] = await someItems(app, [{ name: 'Portrait', status: 'draft' }])
    await app.db
      .insertInto('consent_records')
      .values({
        id: randomUUID(),
        item_id: portrait?.id ?? '',
        pseudonym: 'A',
        permits_publication: true,
        permits_download: true,
        evidence: 'signed',
        verified_adult: 'yes',
        recorded_by: 'test',
      })
      .execute()
    if (portrait !== undefined) await editItem(app, portrait, { name: 'Portrait', people: 'identifiable' })
    await app.db.updateTable('consent_records').set({ withdrawn_at: new Date() }).execute()
    expect(await standing()).toEqual({ Portrait: 'consent' })
    await notifyOfLapses(app)
    const [email] = await emails()
    expect(email?.text).toContain("'Portrait': a consent was withdrawn, or has ended.")
    // The record of a withdrawal stays with its item.
    await writePastRules(app, 'delete from consent_records')
  })
})

describe('The nightly re-check', () => {
  const isGoing = { isStopping: () => false }

  test('restricts what the gate refuses by now, with the reasons in the audit log, and tells the administrators', async () => {
    const { app } = testApp
    const [, refused] = await someItems(app, [
      { name: 'Quiet days' },
      { name: 'Forbidden days' },
      { name: 'Other days' },
    ])
    await recheckPublished(app, {}, isGoing)
    expect(await restrictions()).toEqual([])
    await prohibit('forbidden')
    await beginRecheck(app)
    await drainJobs(app)
    expect(await standing()).toEqual({
      'Quiet days': 'published',
      'Forbidden days': 'gate',
      'Other days': 'published',
    })
    expect(await restrictions()).toEqual([
      {
        actor: 'system',
        subject_id: refused?.id,
        details: { name: 'Forbidden days', slug: refused?.slug, restriction: 'gate', reasons: ['term.prohibited'] },
      },
    ])
    await notifyOfLapses(app)
    expect((await emails())[0]?.text).toContain("'Forbidden days': the gate refuses it by now.")
    // It can be published again like what has lapsed, once nothing stands in the way.
    await permit('forbidden')
    if (refused !== undefined) await editItem(app, refused, { name: 'Forbidden days' })
    expect(await listed()).toEqual([])
  })

  test('finds what was written past the triggers, and names it by what has ended', async () => {
    const { app } = testApp
    const [lapsed, portrait] = await someItems(app, [{ name: 'Lapsed' }, { name: 'Portrait' }, { name: 'Right' }])
    await writePastRules(
      app,
      `update items set rights_valid_until = now() - interval '1 hour' where id = '${lapsed?.id}'`,
      `update items set people = 'identifiable' where id = '${portrait?.id}'`,
    )
    await recheckPublished(app, {}, isGoing)
    expect(await standing()).toEqual({ Lapsed: 'rights_lapsed', Portrait: 'consent', Right: 'published' })
  })

  test('does not ask for the second person, whom what was published before has not', async () => {
    const { app } = testApp
    await someItems(app, [{ name: 'From before' }])
    await recheckPublished({ ...app, config: { ...app.config, requiresSecondPerson: true } }, {}, isGoing)
    expect(await standing()).toEqual({ 'From before': 'published' })
  })

  test('goes on in steps, from where it ended', async () => {
    const { app } = testApp
    await someItems(
      app,
      Array.from({ length: 5 }, (_, place) => ({ name: `Forbidden ${place}` })),
    )
    await prohibit('forbidden')
    await recheckPublished(app, {}, isGoing, { forMs: -1, atOnce: 2 })
    expect(await restrictions()).toHaveLength(2)
    const line = await app.db
      .selectFrom('pgboss.job' as 'users')
      .select('data' as 'name')
      .where('name', '=', recheckPublishedJob.name)
      .where('state' as 'id', '=', 'created')
      .execute()
    expect(line).toEqual([{ data: { after: expect.any(Number) as number } }])
    await drainJobs(app)
    expect(await restrictions()).toHaveLength(5)
    await permit('forbidden')
  })

  test('leaves the demo catalogue as it is', async () => {
    const { app } = testApp
    await fillDemoCatalogue({ ...app, config: { ...app.config, demo: true } })
    await recheckPublished(app, {}, isGoing)
    expect(await restrictions()).toEqual([])
    expect(
      await app.db.selectFrom('items').select('no').where('status', '=', 'published').limit(1).execute(),
    ).toHaveLength(1)
  })
})
