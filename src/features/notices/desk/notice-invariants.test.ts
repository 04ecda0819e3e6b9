import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { anItem, type MadeItem } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { ageNotice, aNotice, type MadeNotice } from '../../../../tests/harness/notices.ts'
import { writePastRules } from '../../../../tests/harness/past-rules.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { openLog } from '../../../platform/log.ts'
import { ledgerInvariant, noticeInvariants } from './notice-invariants.server.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { lockNotice } from '../notice/record-event.server.ts'
import { makeDecision } from './decide.server.ts'
import { workOnClocks } from './work-on-clocks.server.ts'

const opened = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

beforeAll(async () => {
  await aMember(opened.app, { isAdmin: true })
})

/** The rows that break an invariant. */
async function broken(name: string): Promise<string[]> {
  const invariant = noticeInvariants.find((each) => each.name === name)
  if (invariant === undefined) throw new Error(`There is no invariant ${name}.`)
  const { rows } = await invariant.findBroken(sql`(select * from ${invariant.over.table})`).execute(opened.app.db)
  return rows.map(({ id }) => id)
}

const all = async (): Promise<string[]> =>
  (
    await Promise.all(noticeInvariants.map(async ({ name }) => ((await broken(name)).length === 0 ? [] : [name])))
  ).flat()

test('each is broken by what it is about, and by nothing that the site does', async () => {
  const { app } = opened
  const item = await anItem(app)
  const notice = await aNotice(app, { kind: 'intimate-image', urls: [item.slug] })
  const late = await aNotice(app, { kind: 'privacy' })
  expect(await all()).toEqual([])

  const ofNotice = (assignment: string): Promise<void> =>
    writePastRules(app, `update notices set ${assignment} where id = '${notice.id}'`)
  await ofNotice("holds = 'none'")
  expect(await broken('notices.holds')).toEqual([notice.id])
  await ofNotice("holds = 'hides'")
  const leadTo = ({ id }: MadeItem): Promise<void> =>
    writePastRules(app, `update notice_items set item_id = '${id}' where notice_id = '${notice.id}'`)
  await leadTo(await anItem(app, { name: 'Not hidden', link: 'https://mega.nz/file/not-hidden' }))
  expect(await broken('notices.holds')).toEqual([notice.id])
  await ofNotice('is_withheld = true')
  expect(await broken('notices.holds')).toEqual([])
  await ofNotice('is_withheld = false')
  await leadTo(item)
  expect(await all()).toEqual([])

  await ageNotice(app, late, '7 days')
  // A minute's job has minutes.
  expect(await broken('notices.deadlines')).toEqual([])
  await ageNotice(app, late, '6 minutes')
  expect(await broken('notices.deadlines')).toEqual([late.id])
  await workOnClocks(app)
  expect(await all()).toEqual([])

  await writePastRules(app, `update notices set status = 'in-review' where id = '${late.id}'`)
  expect(await broken('notices.ledger')).toEqual([late.id])
  await writePastRules(app, `update notices set status = 'received', version = 7 where id = '${late.id}'`)
  expect(await broken('notices.ledger')).toEqual([late.id])
  await writePastRules(app, `update notices set version = 1 where id = '${late.id}'`)

  await ageNotice(app, notice, '44 hours')
  await workOnClocks(app)
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const locked = await lockNotice(trx, notice.id)
    await makeDecision(app, trx, {
      notice: locked,
      decision: { outcome: 'remove', ground: 'illegal', legalGround: 'A law', facts: 'So it is.', explanation: 'So.' },
      by: { kind: 'administrator', id: notice.id },
      eventOf: (decisionId) => ({ type: 'decided', decisionId, outcome: 'remove' }),
    })
  })
  expect(await all()).toEqual([])
  await writePastRules(app, `update notices set outcome = 'keep' where id = '${notice.id}'`)
  expect(await broken('notices.ledger')).toEqual([notice.id])
  await writePastRules(
    app,
    `update notices set outcome = 'remove' where id = '${notice.id}'`,
    `update items set status = 'restricted' where id = '${item.id}'`,
  )
  expect(await broken('notices.removals')).toEqual([item.id])
})

test('the ledger is replayed: a row and an event that somebody has written past the rules are both named, and nothing else', async () => {
  const { app } = opened
  const item = await anItem(app, { name: 'Replayed', link: 'https://mega.nz/file/replayed' })
  const made = [await aNotice(app, { kind: 'privacy' }), await aNotice(app, { urls: [item.slug] }), await aNotice(app)]
  const [row, record, sound] = made as [MadeNotice, MadeNotice, MadeNotice]
  const examined = async (): Promise<string[]> => {
    const ids = made.map(({ id }) => id)
    const batch = sql`(select * from notices where id = any(${ids}::uuid[]))`
    return ((await ledgerInvariant.examine?.(app.db, batch)) ?? []).toSorted()
  }
  expect(await examined()).toEqual([])
  const decide = (outcome: string): string =>
    `update notice_events set details = '{"kind": "${outcome}", "missing": []}' where notice_id = '${record.id}'`
  // Neither of the two leaves a trace in the last event's status and version.
  await writePastRules(app, `update notices set holds = 'none' where id = '${row.id}'`, decide('other'))
  expect(await examined()).toEqual([row.id, record.id].toSorted())
  await writePastRules(app, decide('nonsense'))
  expect(await examined()).toContain(record.id)
  expect(await examined()).not.toContain(sound.id)
  await writePastRules(app, `update notices set holds = 'holds' where id = '${row.id}'`, decide('copyright'))
  expect(await examined()).toEqual([])
})
