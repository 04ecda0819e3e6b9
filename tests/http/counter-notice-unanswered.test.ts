import { beforeAll, expect, test } from 'vitest'
import { fileCounterNoticeTo, aCounterNoticeTo } from '../harness/counter-notices.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type MadeItem, someItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { aNotice, type MadeNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** Counter-notices that answer nothing (docs/spec/notices.md#unanswered). */

let headers: { authorization: string }
const server = serverOfFile({ now: new Date().toISOString(), env: { CONTACT_EMAIL: 'desk@library.example' } })

beforeAll(async () => {
  const ada = await aMember(server.app, { name: 'Ada Admin', email: 'ada@library.example', isAdmin: true })
  headers = bearer(await signIn(server, ada))
})

const typed = {
  name: 'Otto Operator',
  address: '2 Library Lane',
  phone: '+1 555 0199',
  email: 'otto@library.example',
  explanation: 'The author died in 1900.\n\nIt stood at:\n/western/a-book',
  signature: 'Otto Operator',
}

let works = 0
/** A notice about an entry, decided so. */
async function decided(kind: 'copyright' | 'privacy', outcome: string): Promise<{ made: MadeNotice; item: MadeItem }> {
  works += 1
  const [item] = await someItems(server.app, [{ name: `Work ${works}`, link: `https://mega.nz/file/answered${works}` }])
  const made = await aNotice(server.app, { kind, urls: [(item as MadeItem).slug] })
  const reasons = { ground: 'illegal', legalGround: 'A law', facts: 'The same text.', explanation: 'A copy.' }
  const path = `/api/notices/${made.reference}/decision`
  expect((await post(server, path, { outcome, ...reasons, version: 1 }, headers)).status).toBe(200)
  return { made, item: item as MadeItem }
}

const file = (reference: string, slugs: readonly string[], fields = typed) =>
  fileCounterNoticeTo(server.app, reference, { slugs, fields })
const inquiries = () => server.app.db.selectFrom('inquiries').selectAll().orderBy('id').execute()
const counterNotices = async () =>
  (await server.app.db.selectFrom('counter_notices').select('id').execute()).map(({ id }) => id)

test('is a support inquiry with all that was typed, and its sender gets the same receipt', async () => {
  expect(await file('n-0000-0000, I think', [])).toBeUndefined()
  const [inquiry] = await inquiries()
  expect(inquiry).toMatchObject({ name: 'Otto Operator', email: 'otto@library.example', state: 'open', user_id: null })
  for (const text of ['n-0000-0000, I think', ...Object.values(typed)]) expect(inquiry?.message).toContain(text)
  expect(await counterNotices()).toEqual([])

  const { made, item } = await decided('copyright', 'remove')
  await aCounterNoticeTo(server.app, made.reference, { slugs: [item.slug] })
  await drainJobs(server.app)
  const emails = await readEmails(server.app)
  const receipts = emails.filter(({ to, subject }) => to === typed.email && subject === 'We have your counter-notice')
  expect(receipts).toHaveLength(2)
  expect(receipts[0]?.text).toBe(receipts[1]?.text)
  expect(emails.filter(({ to, text }) => to === 'desk@library.example' && text.includes('n-0000-0000'))).toHaveLength(1)
})

test('is one to a notice that it cannot answer, that names nothing of it, or that is one too many', async () => {
  const open = await aNotice(server.app)
  const privacy = await decided('privacy', 'remove')
  const kept = await decided('copyright', 'keep')
  const { made, item } = await decided('copyright', 'remove')
  const [before, answered] = [(await inquiries()).length, await counterNotices()]
  expect(await file(open.reference, [])).toBeUndefined()
  for (const one of [privacy, kept]) expect(await file(one.made.reference, [one.item.slug])).toBeUndefined()
  expect(await file(made.reference, ['no-such-entry', kept.item.slug])).toBeUndefined()
  for (let no = 0; no < 20; no += 1)
    await aCounterNoticeTo(server.app, made.reference, { slugs: [item.slug], email: `otto${no}@library.example` })
  expect(await file(made.reference, [item.slug])).toBeUndefined()
  expect((await inquiries()).length - before).toBe(5)
  expect((await counterNotices()).length - answered.length).toBe(20)
})

test('of any length is taken: a text that is longer than an inquiry is cut', async () => {
  const explanation = '界'.repeat(30_000)
  expect(await file('N-0000-0000', [], { ...typed, name: 'O'.repeat(200), explanation })).toBeUndefined()
  const inquiry = (await inquiries()).at(-1)
  expect([[...(inquiry?.name ?? '')].length, [...(inquiry?.message ?? '')].length]).toEqual([120, 20_000])
  expect(inquiry?.message.endsWith('界…')).toBe(true)
})
