import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import type { ItemForAdmin } from '../../src/features/catalogue/editing/content-schema.ts'
import { listItems } from '../../src/features/catalogue/editing/list-items.server.ts'
import { anItem, type MadeItem } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { sweepEvidence } from '../../src/features/catalogue/evidence/store-evidence.server.ts'

let administrator: MadeMember
let token: string
let item: MadeItem

const contract = Buffer.from('%PDF-1.7 The contract with the estate.')
const keysOf = (given: string): Record<string, string> => ({ ...bearer(given), 'admin-key': adminKeyOf(given) })

function upload(
  { query = 'name=Contract.pdf', type = 'application/pdf', id = item.id, headers = keysOf(token) } = {},
  body: Buffer = contract,
): Promise<TestResponse> {
  return server.call(`/api/items/${id}/evidence?${query}`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  })
}

const storedFiles = (): Promise<string[]> => readdir(join(server.app.config.dataDir, 'evidence')).catch(() => [])

const server = serverOfFile()

beforeAll(async () => {
  administrator = await aMember(server.app, { isAdmin: true })
  token = await signIn(server, administrator)
  item = await anItem(server.app)
})

test('a file is stored with its hash, and comes back as it was, as a download that no browser shows', async () => {
  const answer = await upload({ query: `name=${encodeURIComponent('Vertrag "Erbe" – 契約.pdf')}` })
  expect(answer.status, answer.text).toBe(201)
  const [file] = (answer.json() as ItemForAdmin).evidenceFiles
  expect(file).toMatchObject({
    consentId: null,
    fileName: 'Vertrag "Erbe" – 契約.pdf',
    mediaType: 'application/pdf',
    byteSize: contract.length,
    sha256: createHash('sha256').update(contract).digest('hex'),
  })
  expect(await storedFiles()).toContain(file?.id)
  const back = await server.request(`/api/evidence/${file?.id}`, { headers: bearer(token) })
  expect(back.status).toBe(200)
  expect(back.bytes.equals(contract)).toBe(true)
  expect(back.headers['content-disposition']).toBe(
    `attachment; filename="Vertrag _Erbe_ _ __.pdf"; filename*=UTF-8''${encodeURIComponent('Vertrag "Erbe" – 契約.pdf')}`,
  )
  expect(back.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
  const event = await server.app.db
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'evidence.stored')
    .executeTakeFirstOrThrow()
  expect(event).toMatchObject({ subject_id: item.id, actor_id: administrator.id, details: { sha256: file?.sha256 } })
})

test('a file is no reference: an entry with a file alone says which of the two is missing', async () => {
  const draft = await anItem(server.app, { name: 'Unproven', status: 'draft', evidence: '' })
  const sentences = ({ reasons }: ItemForAdmin): string[] => reasons.map(({ sentence }) => sentence)
  const before = await server.request(`/api/items/${draft.id}`, { headers: bearer(token) })
  expect(sentences(before.json() as ItemForAdmin)).toEqual(['No evidence of the rights is recorded.'])
  const missing = 'A file of evidence is attached, but there is no reference to it.'
  const after = (await upload({ id: draft.id })).json() as ItemForAdmin
  expect(sentences(after)).toEqual([missing])
  const refused = await server.call(`/westerncontent/${draft.id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...keysOf(token) },
    body: JSON.stringify({ version: after.version, publish: true }),
  })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(missing)])
  const query = { page: 1, limit: 900, sortOrder: 'DESC', status: 'draft', search: '', category: '' } as const
  const { data } = await listItems(server.app, 'western', query)
  expect(data.map(({ reasons }) => reasons)).toEqual([[missing]])
})

test.each([
  ['a page', { type: 'text/html' }, 415],
  ['a drawing that can hold scripts', { type: 'image/svg+xml' }, 415],
  ['no kind', { type: '' }, 415],
  ['no name', { query: '' }, 422],
  ['a name with a line break', { query: 'name=a%0d%0ab.pdf' }, 422],
  ['a consent that is none', { query: 'name=a.pdf&consent=me' }, 422],
  ['a consent of nobody', { query: 'name=a.pdf&consent=018bcfe5-0000-4000-8000-000000000000' }, 404],
  ['an item that is none', { id: 'an-ordinary-work' }, 404],
])('%s is refused, and nothing is kept', async (_what, given, status) => {
  const before = await storedFiles()
  expect((await upload(given)).status).toBe(status)
  expect(await storedFiles()).toEqual(before)
})

test('an empty file and one of more than 20 MiB are refused', async () => {
  const before = await storedFiles()
  expect((await upload({}, Buffer.alloc(0))).status).toBe(422)
  expect((await upload({}, Buffer.alloc(20 * 1024 * 1024 + 1))).status).toBe(413)
  expect(await storedFiles()).toEqual(before)
})

test.each(['018bcfe5-0000-4000-8000-000000000000', 'nothing', '..%2f..%2fetc%2fpasswd'])(
  'there is no file %s',
  async (id) => {
    expect((await server.request(`/api/evidence/${id}`, { headers: bearer(token) })).status).toBe(404)
  },
)

const dayAgo = (): Date => new Date(server.clock.now() - 90_000_000)

test('files of a deleted item, and of an upload that broke off, are swept away after a day; all others stay', async () => {
  const folder = join(server.app.config.dataDir, 'evidence')
  await mkdir(join(folder, 'backups'), { recursive: true })
  const unknown = '018bcfe5-0000-4000-8000-000000000001'
  for (const name of [unknown, 'notes.txt']) await writeFile(join(folder, name), 'somebody else')
  await upload()
  const kept = (await storedFiles()).toSorted()

  const other = await anItem(server.app, { name: 'To be deleted' })
  await upload({ id: other.id })
  await server.app.db.deleteFrom('items').where('id', '=', other.id).execute()
  const broken = '018bcfe5-0000-4000-8000-000000000002'
  await writeFile(join(folder, `.unfinished-${broken}`), 'half')
  await server.app.db.insertInto('unneeded_evidence').values({ id: broken }).execute()

  expect(await sweepEvidence(server.app)).toBe(0)
  for (const name of await storedFiles()) await utimes(join(folder, name), dayAgo(), dayAgo())
  await server.app.db.updateTable('unneeded_evidence').set({ recorded_at: dayAgo() }).execute()
  expect(await sweepEvidence(server.app)).toBe(2)
  expect((await storedFiles()).toSorted()).toEqual(kept)
  expect(await server.app.db.selectFrom('unneeded_evidence').select('id').execute()).toEqual([])
})

test('files that the database does not know are reported, and what is not ours is not', async () => {
  const lines: object[] = []
  const log = { info() {}, warn: (facts: object) => lines.push(facts) } as unknown as typeof server.app.log
  await sweepEvidence({ ...server.app, log })
  expect(lines).toEqual([{ count: 1, first: '018bcfe5-0000-4000-8000-000000000001' }])
})

test('a file whose storing fails leaves nothing, and a file that is lost is told as that', async () => {
  const before = (await storedFiles()).toSorted()
  const folder = join(server.app.config.dataDir, 'evidence')
  const opened = await open(folder)
  await opened.close()
  const prototype = Object.getPrototypeOf(opened) as FileHandle
  const { writeFile: write } = prototype
  prototype.writeFile = async function (this: FileHandle) {
    await write.call(this, 'half')
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }
  try {
    expect((await upload()).status).toBe(503)
  } finally {
    prototype.writeFile = write
  }
  expect((await storedFiles()).toSorted()).toEqual(before)
  expect(await server.app.db.selectFrom('unneeded_evidence').select('id').execute()).toEqual([])

  const { id } = await server.app.db.selectFrom('evidence_files').select('id').executeTakeFirstOrThrow()
  await rename(join(folder, id), join(folder, 'elsewhere'))
  const answer = await server.request(`/api/evidence/${id}`, { headers: bearer(token) })
  expect([answer.status, (answer.json() as { code: string }).code]).toEqual([404, 'evidence.lost'])
  await rename(join(folder, 'elsewhere'), join(folder, id))
})
