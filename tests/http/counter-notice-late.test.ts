import { beforeAll, describe, expect, test } from 'vitest'
import type { NoticeForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import { workOnClocks } from '../../src/features/notices/desk/work-on-clocks.server.ts'
import { aCounterNoticeTo } from '../harness/counter-notices.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type MadeItem, someItems, statusOfItem } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { leaveNoNotice, ageNotice, aNotice, type MadeNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** Counter-notices that are accepted late, and court actions (docs/spec/notices.md#counter-notices). */

let headers: { authorization: string }
const server = serverOfFile({ now: new Date().toISOString(), env: { CONTACT_EMAIL: 'desk@library.example' } })

beforeAll(async () => {
  const ada = await aMember(server.app, { name: 'Ada Admin', email: 'ada@library.example', isAdmin: true })
  headers = bearer(await signIn(server, ada))
})
leaveNoNotice(server)

const read = async ({ reference }: MadeNotice): Promise<NoticeForDesk> =>
  (await server.request(`/api/notices/${reference}`, { headers })).json() as NoticeForDesk
const states = async (made: MadeNotice): Promise<string[]> =>
  (await read(made)).counterNotices.map(({ state }) => state)
/** A call in the version that the notice has. */
const act = async (made: MadeNotice, path: string, body: Record<string, unknown> = {}): Promise<void> => {
  const { version } = await read(made)
  const answer = await post(server, `/api/notices/${made.reference}/${path}`, { ...body, version }, headers)
  expect([path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, 200, ''])
}
const accept = (made: MadeNotice, id: string) => act(made, `counter-notices/${id}/accept`)
const recordAction = (made: MadeNotice, id: string) =>
  act(made, `counter-notices/${id}/action`, { note: 'A letter of a court.' })
const file = async ({ reference }: MadeNotice, items: readonly MadeItem[], email = 'otto@library.example') =>
  (await aCounterNoticeTo(server.app, reference, { slugs: items.map(({ slug }) => slug), email })).counterNoticeId
const statusOf = (item: MadeItem): Promise<string> => statusOfItem(server.app, item)
/** Time passes for a notice, and what falls due is done. */
const pass = async (made: MadeNotice, interval: string): Promise<void> => {
  await ageNotice(server.app, made, interval)
  await workOnClocks(server.app)
}

let works = 0
/** A copyright notice by which so many entries were removed. */
async function removed(count: number): Promise<{ made: MadeNotice; items: MadeItem[] }> {
  const given = Array.from({ length: count }, () => {
    works += 1
    return { name: `Late work ${works}`, link: `https://mega.nz/file/late${works}` }
  })
  const items = await someItems(server.app, given)
  const made = await aNotice(server.app, { urls: items.map(({ slug }) => slug), email: 'claimant@authors.example' })
  const reasons = { legalGround: '17 U.S.C. 106', facts: 'The same text.', explanation: 'It is a copy.' }
  await act(made, 'decision', { outcome: 'remove', ground: 'illegal', ...reasons })
  return { made, items }
}

describe('a court action', () => {
  test('stops every counter-notice about the same entry, also one that comes later, and tells who sent them', async () => {
    const { made, items } = await removed(1)
    const [item] = items as [MadeItem]
    const first = await file(made, items)
    const second = await file(made, items, 'berta@library.example')
    await accept(made, first)
    await accept(made, second)
    await recordAction(made, first)
    expect(await states(made)).toEqual(['action', 'action'])
    expect((await read(made)).clocks).toEqual([])
    const third = await file(made, items, 'clara@library.example')
    await accept(made, third)
    expect(await states(made)).toEqual(['action', 'action', 'action'])
    await pass(made, '40 days')
    expect(await statusOf(item)).toBe('removed')
    await drainJobs(server.app)
    const emails = await readEmails(server.app)
    for (const email of ['otto', 'berta', 'clara'])
      expect(emails.findLast(({ to }) => to === `${email}@library.example`)?.subject).toBe(
        `A court action against your counter-notice to ${made.reference}`,
      )
    const forwarded = emails.findLast(({ to }) => to === 'claimant@authors.example')
    expect(forwarded?.text).toContain('this counter-notice does not put it back on the site')
  })

  test('keeps off the entries that it is about, and no other one', async () => {
    const { made, items } = await removed(2)
    const [kept, free] = items as [MadeItem, MadeItem]
    const one = await file(made, [kept])
    const both = await file(made, items, 'berta@library.example')
    await accept(made, both)
    await recordAction(made, one)
    expect(await states(made)).toEqual(['action', 'accepted'])
    await pass(made, '40 days')
    expect([await statusOf(kept), await statusOf(free)]).toEqual(['removed', 'published'])
    expect(await states(made)).toEqual(['action', 'restored'])
    const { decisions } = await read(made)
    expect(decisions.at(-1)).toMatchObject({ outcome: 'remove' })
  })
})

describe('many counter-notices to one notice', () => {
  test('of one sender take no place of others', async () => {
    const { made, items } = await removed(1)
    for (let no = 0; no < 3; no += 1) await file(made, items, 'greedy@example.org')
    await expect(file(made, items, 'Greedy@Example.org')).rejects.toThrow('answers nothing')
    await file(made, items, 'otto@library.example')
    expect(await states(made)).toHaveLength(4)
  })
})

describe('a counter-notice that is accepted late', () => {
  test('gives nothing back in the same minute: the sender of the notice has the copy for a whole business day', async () => {
    const { made, items } = await removed(1)
    const [item] = items as [MadeItem]
    const id = await file(made, items)
    // More than ten and less than fourteen business days, or more than fourteen, whatever the holidays.
    await pass(made, '40 days')
    await accept(made, id)
    await workOnClocks(server.app)
    expect(await statusOf(item)).toBe('removed')
    const { clocks, counterNotices } = await read(made)
    const restore = clocks.find(({ name }) => name === 'restore')
    const [shown] = counterNotices
    expect(Date.parse(restore?.dueAt ?? '')).toBeGreaterThan(Date.now())
    expect(shown?.restoreFrom).toBe(restore?.dueAt)
    // Past the fourteen days of the law the page and the email say so.
    expect(Date.parse(shown?.restoreUntil ?? '')).toBeLessThan(Date.parse(shown?.restoreFrom ?? ''))
    await drainJobs(server.app)
    const emails = await readEmails(server.app)
    expect(emails.findLast(({ to }) => to === 'otto@library.example')?.text).toContain(
      'later than the fourteen business days of the law',
    )
    await pass(made, '6 days')
    expect(await statusOf(item)).toBe('published')
  })
})
