import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { deleteAllItems, type MadeItem, someItems, statusOfItem } from '../../../../tests/harness/items.ts'
import { aMember, viewerOf } from '../../../../tests/harness/members.ts'
import {
  ageNotice,
  aNotice,
  deleteAllNotices,
  type MadeNotice,
  noticeToken,
} from '../../../../tests/harness/notices.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { openLog } from '../../../platform/log.ts'
import { withdrawNotice } from '../intake/follow-up.server.ts'
import { readTrackedNotice } from '../intake/read-tracked-notice.server.ts'
import { stateOf } from '../notice/record-event.server.ts'
import { replay } from '../notice/transition.ts'
import { decideNotice } from './decide-notice.server.ts'
import { markDuplicate } from './mark-duplicate.server.ts'
import { noticeInvariants } from './notice-invariants.server.ts'
import { workOnClocks } from './work-on-clocks.server.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

let app: App
let ada: { id: string; email: string }

const opened = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

beforeAll(async () => {
  ;({ app } = opened)
  ada = await aMember(app, { email: 'ada@library.example', isAdmin: true })
})
afterEach(async () => {
  await drainJobs(app)
  await deleteAllNotices(app)
  await deleteAllItems(app)
})

let made = 0
const works = async (count: number): Promise<MadeItem[]> => {
  made += count
  const numbers = Array.from({ length: count }, (_, no) => made - no)
  return someItems(
    app,
    numbers.map((no) => ({ name: `Image ${no}`, link: `https://mega.nz/file/image${no}` })),
  )
}
const image = (items: readonly MadeItem[], overrides = {}): Promise<MadeNotice> =>
  aNotice(app, { kind: 'intimate-image', urls: items.map(({ slug }) => slug), ...overrides })
const statusOf = (item: { id: string }): Promise<string> => statusOfItem(app, item)
const noticeOf = ({ id }: { id: string }) =>
  app.db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const viewer = () => viewerOf(ada, 'admin', 'safety-officer')
const which = async (notice: { id: string; reference: string }) => ({
  reference: notice.reference,
  version: (await noticeOf(notice)).version,
})

/** Every notice is what its ledger says, and no rule about notices is broken. */
async function expectSound(): Promise<void> {
  for (const row of await app.db.selectFrom('notices').selectAll().execute()) {
    const events = await app.db
      .selectFrom('notice_events')
      .select(['type', 'details'])
      .where('notice_id', '=', row.id)
      .orderBy('no')
      .execute()
    const { state, version } = replay(events.map(({ type, details }) => ({ type, ...details }) as NoticeEventInput))
    expect(stateOf(row, {})).toEqual(state)
    expect(row.version).toBe(version)
  }
  for (const { name, over, findBroken } of noticeInvariants) {
    const { rows } = await sql<{ id: string }>`${findBroken(over.table)}`.execute(app.db)
    expect(rows, name).toEqual([])
  }
}

describe('a notice that is joined', () => {
  test('brings the earlier deadline with it, and shows its addresses to no other sender', async () => {
    const [own, others] = (await works(2)) as [MadeItem, MadeItem]
    const duplicate = await image([others], { email: 'bea@authors.example' })
    await ageNotice(app, duplicate, '20 hours')
    const notice = await image([own])
    await ageNotice(app, notice, '10 hours')
    await markDuplicate(app, viewer(), { ...(await which(duplicate)), of: notice.reference })
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from due_at - now()) / 3600 as hours from notices where id = ${notice.id}`.execute(app.db)
    expect(Number(rows[0]?.hours)).toBeCloseTo(4, 1)
    await ageNotice(app, notice, '10 days')
    await workOnClocks(app)
    expect([await statusOf(own), await statusOf(others)]).toEqual(['restricted', 'restricted'])
    // Each sender sees their own addresses alone, and cannot withdraw those that others repeat.
    const page = await readTrackedNotice(app, await noticeToken(app, notice))
    expect([page.addresses, page.mayWithdraw]).toEqual([[expect.stringContaining(own.slug)], false])
    await expect(
      withdrawNotice(app, { token: await noticeToken(app, notice), address: '203.0.113.9', isSure: true }),
    ).rejects.toMatchObject({ code: 'notice.transition' })
    await decideNotice(app, viewer(), {
      ...(await which(notice)),
      decision: { outcome: 'remove', ground: 'illegal', legalGround: 'A law', facts: 'So it is.', explanation: 'So.' },
    })
    expect([await statusOf(own), await statusOf(others)]).toEqual(['removed', 'removed'])
    await expectSound()
  })
})
