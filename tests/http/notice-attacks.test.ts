import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { holdItems } from '../../src/features/catalogue/removal/hold-items.server.ts'
import type { NoticeForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import { fileAppeal } from '../../src/features/notices/desk/file-appeal.server.ts'
import { workOnClocks } from '../../src/features/notices/desk/work-on-clocks.server.ts'
import { deskCalls } from '../harness/desk.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { anAdministrator, type SignedIn } from '../harness/members.ts'
import { leaveNoNotice, ageNotice, aNotice, type MadeNotice } from '../harness/notices.ts'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** Attacks by notices (docs/spec/notices.md#hidden-at-once). */

let ada: SignedIn

const server = serverOfFile({ env: { CONTACT_EMAIL: 'desk@library.example', TRUSTED_PROXIES: '127.0.0.1,::1' } })

beforeAll(async () => {
  // The first administrator is the safety officer.
  await anAdministrator(server, 'Olga')
  ada = await anAdministrator(server, 'Ada')
})
leaveNoNotice(server)

let made = 0
const works = (count: number, overrides: ItemOverrides = {}): Promise<MadeItem[]> =>
  someItems(
    server.app,
    Array.from({ length: count }, () => {
      made += 1
      return { name: `Work ${made}`, link: `https://mega.nz/file/attack${made}`, ...overrides }
    }),
  )
const addressOf = ({ slug }: MadeItem): string => `${server.app.config.publicUrl}/western/${slug}`
const send = (path: string, from: string, fields: Record<string, string>): Promise<TestResponse> =>
  server.request(path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  })
/** A report by the form, also an incomplete one, followed where the receipt is a page of its own. */
async function report(
  form: string,
  from: string,
  fields: Record<string, string>,
): Promise<{ reference: string; page: string }> {
  const sent = await send(`/report/${form}`, from, { incomplete: 'yes', ...fields })
  const answer = sent.status === 303 ? await server.request(sent.headers.location ?? '') : sent
  const reference = /N-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(fromHtml(answer.text).text)?.[0]
  const page = /\/report\/track\/[\w-]+/.exec(answer.text)?.[0]
  if (reference === undefined || page === undefined) throw new Error(`The report was not taken: ${sent.status}`)
  return { reference, page }
}
const whole = { explanation: 'An image of me.', email: 'jane@readers.example', goodFaith: 'on' }
const image = (from: string, items: readonly MadeItem[]) =>
  report('intimate-image', from, { ...whole, signature: 'Jane Reader', itemUrls: items.map(addressOf).join('\n') })
const statuses = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from items group by status`.execute(server.app.db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
const held = async (items: readonly MadeItem[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct item_id)::int as count from item_holds
     where released_at is null and item_id = any(${items.map(({ id }) => id)}::uuid[])`.execute(server.app.db)
  return rows[0]?.count ?? 0
}
const { act, read, list } = deskCalls(
  () => server,
  () => ada,
)
const queue = async () => (await list()).notices
const reasons = {
  ground: 'illegal',
  legalGround: 'Take It Down Act',
  facts: 'It shows a page of a book.',
  explanation: 'Nothing of it is what the notice says.',
}

describe('the bound', () => {
  test('holds for what a notice adds or completes as for a new one, and the sender is answered the same', async () => {
    const items = await works(300)
    const child = (from: string, reported: readonly MadeItem[] = []) =>
      report('child-safety', from, {
        explanation: 'They may be a minor.',
        itemUrls: reported.map(addressOf).join('\n'),
      })
    const [one, other] = [await child('203.0.113.1'), await child('203.0.113.2')]
    await child('203.0.113.9', items.slice(10, 55))
    expect(await statuses()).toEqual({ restricted: 45, published: 255 })
    const add = (page: string, urls: readonly string[]) =>
      send(page, '203.0.113.9', { act: 'add', itemUrls: urls.join('\n') })
    // A quarter of the 255 is 63.
    const added = await add(one.page, items.slice(60, 100).map(addressOf))
    expect(await statuses()).toEqual({ restricted: 45, published: 255 })
    const nowhere = Array.from({ length: 40 }, (_, no) => `${server.app.config.publicUrl}/western/nothing-${no}`)
    const lost = await add(other.page, nowhere)
    expect([added.status, added.text]).toEqual([lost.status, lost.text])
    expect(added.status).toBe(303)
    const [shown, shownLost] = await Promise.all([server.request(one.page), server.request(other.page)])
    for (const page of [shown, shownLost]) {
      expect(page.status).toBe(200)
      expect(fromHtml(page.text).text).not.toMatch(/too many|not hidden|on the site still/i)
    }

    // A completed notice is bounded as well, by the room of all other kinds.
    await image('203.0.113.9', items.slice(200, 245))
    expect(await statuses()).toEqual({ restricted: 90, published: 210 })
    const half = await report('intimate-image', '203.0.113.3', {
      explanation: 'An image of me.',
      itemUrls: items.slice(100, 150).map(addressOf).join('\n'),
    })
    await send(half.page, '203.0.113.9', { act: 'add', ...whole, signature: 'Jane Reader' })
    expect(await statuses()).toEqual({ restricted: 90, published: 210 })
    // A notice of which all fits is hidden: a quarter of the 210 is 52.
    const last = await image('198.51.100.7', items.slice(245, 252))
    expect(await statuses()).toEqual({ restricted: 97, published: 203 })
    expect([(await read(half)).isWithheld, (await read(last)).isWithheld]).toEqual([true, false])
  })

  test('shows the desk which notices are not hidden, and one press hides all of one', async () => {
    const items = await works(80)
    const notice = await image('203.0.113.1', items.slice(0, 50))
    await image('203.0.113.2', items.slice(50))
    const [first, ...others] = await queue()
    expect([first?.isWithheld, ...others.map(({ isWithheld }) => isWithheld)]).toEqual([true, false])
    const left = await read({ reference: first?.reference ?? '' })
    expect([left.isWithheld, (await read(notice)).isWithheld]).toEqual([true, false])
    const answer = await act(`${left.reference}/hide`, { version: left.version })
    expect(answer.status).toBe(200)
    expect((answer.json() as NoticeForDesk).isWithheld).toBe(false)
    expect(await statuses()).toEqual({ restricted: 80 })
  })
})

describe('what was left on the site', () => {
  test('is hidden by its deadline as soon as it fits, whatever the sender was asked, and nothing is removed', async () => {
    const items = await works(60)
    const first = await image('203.0.113.1', items.slice(0, 45))
    const left = await image('203.0.113.1', items.slice(45, 55))
    expect(await statuses()).toEqual({ restricted: 45, published: 15 })
    const { version } = await read(left)
    expect((await act(`${left.reference}/ask`, { missing: ['signature'], message: 'Sign it.', version })).status).toBe(
      200,
    )
    await send(left.page, '203.0.113.1', { act: 'add', signature: 'Jane Reader' })
    expect((await read(left)).isWithheld).toBe(true)
    const age = async ({ reference }: { reference: string }, time: string): Promise<void> =>
      ageNotice(
        server.app,
        await server.app.db
          .selectFrom('notices')
          .select('id')
          .where('reference', '=', reference)
          .executeTakeFirstOrThrow(),
        time,
      )
    for (const notice of [first, left]) await age(notice, '44 hours')
    await workOnClocks(server.app)
    expect(await statuses()).toEqual({ restricted: 55, published: 5 })
    expect(await read(left)).toMatchObject({ isWithheld: false, isOverdue: true, status: 'received' })
    for (const notice of [first, left]) await age(notice, '30 days')
    await workOnClocks(server.app)
    expect(await statuses()).toEqual({ restricted: 55, published: 5 })
    expect((await read(left)).decisions).toEqual([])
  })

  test('is shown to no sender when a person hides it: that would tell that an entry was found', async () => {
    const items = await works(51)
    await image('203.0.113.1', items.slice(0, 50))
    const left = await image('203.0.113.1', items.slice(50))
    const before = await server.request(left.page)
    expect((await act(`${left.reference}/hide`, { version: (await read(left)).version })).status).toBe(200)
    expect(fromHtml((await server.request(left.page)).text).text).toBe(fromHtml(before.text).text)
  })

  test('comes along with a duplicate, and what that has hidden stays hidden', async () => {
    const items = await works(60)
    const hiding = await image('203.0.113.1', items.slice(0, 45))
    const [one, two] = [
      await image('203.0.113.1', items.slice(45, 55)),
      await image('203.0.113.1', items.slice(45, 60)),
    ]
    const join = async (notice: { reference: string }) =>
      (await act(`${notice.reference}/duplicate`, { of: one.reference, version: (await read(notice)).version })).status
    expect(await join(two)).toBe(200)
    // To join what was left on the site is no decision to hide it.
    expect((await read(one)).isWithheld).toBe(true)
    expect(await statuses()).toEqual({ restricted: 45, published: 15 })
    expect(await join(hiding)).toBe(200)
    expect((await read(one)).isWithheld).toBe(false)
    expect(await statuses()).toEqual({ restricted: 60 })
  })
})

describe('consent that was withdrawn', () => {
  test('hides no more at its deadline than fits, and the desk is told at once of what is left', async () => {
    const items = await works(240)
    const notices: MadeNotice[] = []
    for (let no = 0; no < 4; no += 1) {
      notices.push(
        await aNotice(server.app, {
          kind: 'consent',
          urls: items.slice(no * 30, no * 30 + 30).map(({ slug }) => slug),
          from: '203.0.113.7',
        }),
      )
    }
    await drainJobs(server.app)
    const before = (await readEmails(server.app)).length
    for (const notice of notices) await ageNotice(server.app, notice, '20 hours')
    await workOnClocks(server.app)
    expect(await statuses()).toEqual({ restricted: 30, published: 210 })
    const withheld = (await queue()).filter(({ isWithheld }) => isWithheld).map(({ reference }) => reference)
    expect(withheld.toSorted()).toEqual(
      notices
        .slice(1)
        .map(({ reference }) => reference)
        .toSorted(),
    )
    await server.app.alarms.settle()
    await drainJobs(server.app)
    const subjects = (await readEmails(server.app))
      .slice(before)
      .filter(({ to }) => to === 'ada@library.example')
      .map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('Many entries reported at once'))).toHaveLength(1)
    expect(subjects.filter((subject) => subject === 'Not hidden: entries of 3 notices')).toHaveLength(1)
    await workOnClocks(server.app)
    await drainJobs(server.app)
    expect(
      (await readEmails(server.app)).slice(before).filter(({ subject }) => subject.startsWith('Not hidden')),
    ).toHaveLength(2)
    // An hour later the next fit.
    for (const notice of notices) await ageNotice(server.app, notice, '61 minutes')
    await workOnClocks(server.app)
    expect(await statuses()).toEqual({ restricted: 60, published: 180 })
    const reference = (await queue()).find(({ isWithheld }) => isWithheld)?.reference ?? ''
    const { version, events } = await read({ reference })
    expect(events.at(-1)?.sentence).toBe(
      'The deadline for hiding it had come. Too many came at once: its entries stay as they were.',
    )
    const { addresses } = (await act(`${reference}/hide`, { version })).json() as NoticeForDesk
    expect(addresses.every(({ asItIs }) => asItIs?.status === 'restricted')).toBe(true)
  })
})

describe('what notices hold', () => {
  test('is bounded, drafts and what is off the site among it: nobody freezes the catalogue', async () => {
    const published = await works(210)
    const drafts = await works(80, { status: 'draft' })
    const claim = (items: readonly MadeItem[]) =>
      aNotice(server.app, { kind: 'copyright', urls: items.map(({ slug }) => slug) })
    await claim(published.slice(0, 30))
    const second = await claim(drafts.slice(0, 30))
    // Held entries cost nothing.
    await claim(published.slice(20, 30))
    expect(await held([...published, ...drafts])).toBe(60)
    // A quarter of the 290 is 72.
    const left = await claim(published.slice(100, 120))
    expect(await held([...published, ...drafts])).toBe(60)
    expect((await read(left)).isWithheld).toBe(false)
    await claim(published.slice(120, 130))
    expect(await held([...published, ...drafts])).toBe(70)
    // A decision makes room.
    for (const { reference } of [second, left]) {
      const { version } = await read({ reference })
      expect((await act(`${reference}/decision`, { outcome: 'keep', ...reasons, version })).status).toBe(200)
    }
    expect(await held([...published, ...drafts])).toBe(40)
    const decided = await read(left)
    expect(decided.decisions.at(-1)?.items.map(({ effect }) => effect)).toEqual(
      Array.from({ length: 20 }, () => 'unchanged'),
    )
    await claim(published.slice(160, 170))
    expect(await held([...published, ...drafts])).toBe(50)
  })

  test('what a person attaches is not bounded', async () => {
    const items = await works(52)
    await aNotice(server.app, {
      kind: 'copyright',
      urls: items.slice(0, 50).map(({ slug }) => slug),
      from: '203.0.113.1',
    })
    const notice = await aNotice(server.app, { kind: 'copyright', urls: ['nowhere'], from: '203.0.113.2' })
    const [one] = items.slice(51)
    expect((await act(`${notice.reference}/entries`, { add: addressOf(one as MadeItem), version: 1 })).status).toBe(200)
    expect(await held([one as MadeItem])).toBe(1)
  })

  test('ends with the notice, also where it held nothing by its own account', async () => {
    const [item] = (await works(1)) as [MadeItem]
    for (const end of ['decided', 'detached', 'of another kind'] as const) {
      const notice = await aNotice(server.app, { kind: 'copyright', urls: [item.slug], missing: ['signature'] })
      expect(await held([item])).toBe(0)
      // As a backup that was restored in part leaves it.
      await server.app.db
        .transaction()
        .execute((trx) =>
          holdItems(trx, { reference: notice.reference, itemIds: [item.id], hides: true, by: 'system' }),
        )
      expect([await held([item]), await statuses()]).toEqual([1, { restricted: 1 }])
      const { version, addresses } = await read(notice)
      if (end === 'decided') await act(`${notice.reference}/decision`, { outcome: 'keep', ...reasons, version })
      else if (end === 'detached') await act(`${notice.reference}/entries`, { remove: addresses[0]?.id, version })
      else await act(`${notice.reference}/kind`, { kind: 'other', version })
      if (end === 'of another kind') {
        const { version: now } = await read(notice)
        await act(`${notice.reference}/decision`, { outcome: 'keep', ...reasons, version: now })
      }
      expect([end, await held([item]), await statuses()]).toEqual([end, 0, { published: 1 }])
    }
  })

  test('is nothing once it is decided: an address can be detached while an appeal against keeping waits', async () => {
    const items = await works(52)
    await image('203.0.113.1', items.slice(0, 50))
    const notice = await image('203.0.113.1', items.slice(50))
    const { version } = await read(notice)
    expect((await act(`${notice.reference}/decision`, { outcome: 'keep', ...reasons, version })).status).toBe(200)
    const { id } = await server.app.db
      .selectFrom('notices')
      .select('id')
      .where('reference', '=', notice.reference)
      .executeTakeFirstOrThrow()
    await server.app.db
      .transaction()
      .execute((trx) => fileAppeal(server.app, trx, { noticeId: id, statement: 'Look again.' }))
    const appealed = await read(notice)
    expect(appealed.isWithheld).toBe(false)
    const detached = await act(`${notice.reference}/entries`, {
      remove: appealed.addresses[0]?.id,
      version: appealed.version,
    })
    expect(detached.status).toBe(200)
    const [more] = items
    const attached = await act(`${notice.reference}/entries`, {
      add: `${addressOf(more as MadeItem)}?again`,
      version: (detached.json() as NoticeForDesk).version,
    })
    expect(attached.status).toBe(200)
    expect(await held(items.slice(50))).toBe(0)
  })
})
