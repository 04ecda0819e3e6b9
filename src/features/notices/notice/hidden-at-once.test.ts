import { afterEach, beforeAll, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { deleteAllItems, type MadeItem, someItems, statusOfItem } from '../../../../tests/harness/items.ts'
import { aMember, viewerOf } from '../../../../tests/harness/members.ts'
import { aNotice, deleteAllNotices, type MadeNotice, noticeToken } from '../../../../tests/harness/notices.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { openLog } from '../../../platform/log.ts'
import { decideNotice } from '../desk/decide-notice.server.ts'
import { markDuplicate } from '../desk/mark-duplicate.server.ts'
import { withdrawNotice } from '../intake/follow-up.server.ts'
import type { NoticeKind, Outcome } from './notice-kinds.ts'

/* The room for what notices hide by themselves (docs/spec/notices.md#hidden-at-once). */

let app: App
let ada: { id: string; email: string }
let items: MadeItem[]

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

/** The site has a hundred entries, and hides fifty at once. */
const open = async (): Promise<void> => {
  items = await someItems(
    app,
    Array.from({ length: 100 }, (_, no) => ({ name: `Image ${no}`, link: `https://mega.nz/file/room${no}` })),
  )
}
const report = (kind: NoticeKind, from: number, to: number): Promise<MadeNotice> =>
  aNotice(app, { kind, urls: items.slice(from, to).map(({ slug }) => slug) })
const isHidden = async (no: number): Promise<boolean> =>
  (await statusOfItem(app, items[no] as MadeItem)) === 'restricted'
const viewer = () => viewerOf(ada, 'admin', 'safety-officer')
const which = async ({ id, reference }: MadeNotice) => ({
  reference,
  version: (await app.db.selectFrom('notices').select('version').where('id', '=', id).executeTakeFirstOrThrow())
    .version,
})
const decide = async (notice: MadeNotice, outcome: Outcome) =>
  decideNotice(app, viewer(), {
    ...(await which(notice)),
    decision: { outcome, ground: 'illegal', legalGround: 'A law.', facts: 'Facts.', explanation: 'Why.' },
  })

test('notices about a child at risk have room of their own, and take none from others', async () => {
  await open()
  await report('intimate-image', 0, 50)
  await report('child-safety', 50, 60)
  expect(await isHidden(50)).toBe(true)
  await report('child-safety', 60, 100)
  expect(await isHidden(60)).toBe(true)
})

test.each<[string, NoticeKind, (notice: MadeNotice) => Promise<unknown>]>([
  ['is kept', 'child-safety', (notice) => decide(notice, 'keep')],
  [
    'is withdrawn',
    'intimate-image',
    async (notice) =>
      withdrawNotice(app, { token: await noticeToken(app, notice), address: '203.0.113.9', isSure: true }),
  ],
  [
    'repeats another one, which is kept',
    'intimate-image',
    async (notice) => {
      const original = await aNotice(app, { kind: 'intimate-image', urls: ['https://elsewhere.example/x'] })
      await markDuplicate(app, viewer(), { ...(await which(notice)), of: original.reference })
      expect(await isHidden(0)).toBe(true)
      await decide(original, 'keep')
    },
  ],
])('a notice that %s gives its room back at once', async (_, kind, end) => {
  await open()
  const flood = await report(kind, 0, 50)
  await report(kind, 50, 60)
  expect([await isHidden(0), await isHidden(50)]).toEqual([true, false])
  await end(flood)
  expect(await isHidden(0)).toBe(false)
  await report(kind, 60, 100)
  expect(await isHidden(60)).toBe(true)
})

test('a notice that is decided to be right gives nothing back within the hour', async () => {
  await open()
  await decide(await report('intimate-image', 0, 50), 'restrict')
  await report('intimate-image', 50, 60)
  expect(await isHidden(50)).toBe(false)
})
