import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import type { ItemForAdmin } from '../../src/features/catalogue/editing/content-schema.ts'
import { lockCatalogue } from '../../src/features/catalogue/publishing/save-items.server.ts'
import { removeItems } from '../../src/features/catalogue/removal/remove-items.server.ts'
import { startBucket } from '../harness/bucket.ts'
import { anItem, type ItemOverrides } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'
import { sweepCovers } from '../../src/features/catalogue/covers/store-cover.server.ts'

let tokens: { admin: string; member: string; vip: string }

const server = serverOfFile()

beforeAll(async () => {
  const sign = async (overrides: Parameters<typeof aMember>[1]): Promise<string> =>
    signIn(server, await aMember(server.app, overrides))
  tokens = { admin: await sign({ isAdmin: true }), member: await sign({}), vip: await sign({ isVip: true }) }
})

const plain = { create: { width: 900, height: 1200, channels: 3, background: '#a04a20' } } as const
const aPicture = (): Promise<Buffer> => sharp(plain).jpeg().toBuffer()
const keysOf = (token: string): Record<string, string> => ({ ...bearer(token), 'admin-key': adminKeyOf(token) })

async function readItem(id: string): Promise<ItemForAdmin> {
  return (await server.request(`/api/items/${id}`, { headers: bearer(tokens.admin) })).json() as ItemForAdmin
}

interface Upload {
  version?: number | string
  type?: string
  headers?: Record<string, string>
}

async function put(
  id: string,
  body: Buffer,
  { version, type = 'image/jpeg', headers }: Upload = {},
): Promise<TestResponse> {
  const of = version ?? (await readItem(id)).version
  return server.call(`/api/items/${id}/cover?version=${of}`, {
    method: 'PUT',
    headers: { 'content-type': type, ...(headers ?? keysOf(tokens.admin)) },
    body,
  })
}

/** An item with a cover, and the address of that. */
async function withCover(overrides: ItemOverrides = {}): Promise<{ id: string; slug: string; cover: string }> {
  const item = await anItem(server.app, { slug: `covered-${(named += 1)}`, ...overrides })
  const answer = await put(item.id, await aPicture())
  expect(answer.status, answer.text).toBe(200)
  return { ...item, cover: (answer.json() as ItemForAdmin).cover ?? '' }
}
let named = 0

const look = async (address: string, token?: string): Promise<number> =>
  (await server.request(address, { headers: token === undefined ? {} : bearer(token) })).status
const storedFiles = (): Promise<string[]> => readdir(join(server.app.config.dataDir, 'evidence')).catch(() => [])
const sharePictures = (): Promise<string[]> =>
  readdir(join(server.app.config.dataDir, 'share-pictures')).catch(() => [])
const wide = (address: string, width: number): string => address.replace('/320.', `/${width}.`)

test('a picture is written anew in three widths, without a word of what it said about itself', async () => {
  const item = await anItem(server.app, { slug: 'written-anew' })
  const spoken = await sharp({ create: { ...plain.create, width: 1200, height: 900 } })
    .withExif({ IFD0: { Copyright: 'A secret of the camera', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect((await sharp(spoken).metadata()).exif).toBeDefined()
  const before = await readItem(item.id)
  const saved = (await put(item.id, spoken)).json() as ItemForAdmin
  expect(saved.cover).toMatch(/^\/covers\/[0-9a-f]{32}\/320\.webp$/)
  expect([saved.status, saved.version]).toEqual(['published', before.version + 1])
  for (const width of [160, 320, 640]) {
    const answer = await server.request(wide(saved.cover ?? '', width))
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(answer.headers['cache-control']).toBe('public, max-age=60, immutable')
    const facts = await sharp(answer.bytes).metadata()
    // Turned as the camera said, which the picture itself says no more.
    expect([facts.format, facts.width, facts.height]).toEqual(['webp', width, Math.round((width * 4) / 3)])
    expect([facts.exif, facts.icc, facts.xmp, facts.orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(answer.bytes.includes('secret')).toBe(false)
  }
  const { etag } = (await server.request(saved.cover ?? '')).headers
  const again = await server.request(saved.cover ?? '', { headers: { 'if-none-match': String(etag) } })
  expect(again.status).toBe(304)
  expect((await server.item('/westerncontent/written-anew')).item).toMatchObject({ cover: saved.cover })
  const events = await server.app.db
    .selectFrom('audit_events')
    .select('details')
    .where('subject_id', '=', item.id)
    .where('action', '=', 'item.changed')
    .execute()
  expect(events).toEqual([{ details: expect.objectContaining({ fields: ['cover'], checks: expect.anything() }) }])
})

test.each([
  ['PNG', () => sharp(plain).png().toBuffer()],
  ['WebP', () => sharp(plain).webp().toBuffer()],
  ['a picture that is smaller than its widths', () => sharp(plain).resize(40).png().toBuffer()],
])('%s is taken too', async (_kind, make) => {
  const item = await anItem(server.app, { slug: `kind-${(named += 1)}` })
  const answer = await put(item.id, await make(), { type: 'application/octet-stream' })
  expect(answer.status, answer.text).toBe(200)
})

/** A PNG that says it is as large as this, and holds one row of pixels. */
async function bomb(width: number, height: number): Promise<Buffer> {
  const small = await sharp({ create: { ...plain.create, width: 8, height: 8 } })
    .png()
    .toBuffer()
  const said = Buffer.from(small)
  said.writeUInt32BE(width, 16)
  said.writeUInt32BE(height, 20)
  // The check sum of the header has to fit, or it would be no picture at all.
  const { crc32 } = await import('node:zlib')
  said.writeUInt32BE(crc32(said.subarray(12, 29)), 29)
  return said
}

test.each([
  ['a text', async () => Buffer.from('no picture'), 422, 'cover.kind'],
  ['nothing', async () => Buffer.alloc(0), 422, 'cover.kind'],
  ['a GIF', () => sharp(plain).gif().toBuffer(), 422, 'cover.kind'],
  [
    'a drawing that can hold scripts',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    422,
    'cover.kind',
  ],
  ['the beginning of a picture', async () => (await aPicture()).subarray(0, 400), 422, 'cover.no_picture'],
  ['a bomb of pixels', () => bomb(20_000, 20_000), 422, 'cover.pixels'],
  ['one pixel column more than 40 megapixels', () => bomb(40_001, 1_000), 422, 'cover.pixels'],
  ['a picture that holds less than it says', () => bomb(5_000, 5_000), 422, 'cover.no_picture'],
  [
    '10 MiB and a byte',
    async () => Buffer.concat([await aPicture(), Buffer.alloc(10 * 1024 * 1024)]),
    413,
    'body.too_large',
  ],
])('%s is refused in one sentence, and nothing is kept', async (_what, make, status, code) => {
  const item = await anItem(server.app, { slug: `refused-${(named += 1)}` })
  const files = await storedFiles()
  const answer = await put(item.id, await make())
  expect([answer.status, answer.json()]).toEqual([
    status,
    expect.objectContaining({ code, message: expect.stringMatching(/^[^.]+(\.[^.]+)?\./) }),
  ])
  expect(await storedFiles()).toEqual(files)
  expect((await readItem(item.id)).cover).toBeUndefined()
})

test('somebody else has changed the entry meanwhile: 409 with the entry as it is, and no picture stays', async () => {
  const { id, cover } = await withCover()
  const files = await storedFiles()
  const answer = await put(id, await aPicture(), { version: 1 })
  expect([answer.status, answer.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'item.conflict', current: expect.objectContaining({ cover }) }),
  ])
  const taken = await server.call(`/api/items/${id}/cover?version=1`, {
    method: 'DELETE',
    headers: keysOf(tokens.admin),
  })
  expect(taken.status).toBe(409)
  expect((await put(id, await aPicture(), { version: 'last' })).status).toBe(422)
  expect(await storedFiles()).toEqual(files)
})

test('a cover that is taken away is gone, and its files are swept when a day has passed', async () => {
  const { id, cover } = await withCover()
  const { version, slug } = await readItem(id)
  expect(await look(`/covers/${slug}.png`)).toBe(200)
  const at = `/api/items/${id}/cover?version=${version}`
  const answer = await server.call(at, { method: 'DELETE', headers: keysOf(tokens.admin) })
  expect([answer.status, (answer.json() as ItemForAdmin).cover]).toEqual([200, undefined])
  expect(await look(cover)).toBe(404)
  const [, , hash = ''] = cover.split('/')
  const ofCover = async (): Promise<string[]> =>
    [...(await storedFiles()), ...(await sharePictures())].filter((name) => name.includes(hash))
  expect(await sweepCovers(server.app)).toBe(0)
  // The three, and the picture for those who share the page.
  expect(await ofCover()).toHaveLength(4)
  server.clock.advance(25 * 3_600_000)
  expect(await sweepCovers(server.app)).toBeGreaterThan(0)
  expect(await ofCover()).toEqual([])
  server.clock.advance(-25 * 3_600_000)
})

test('strangers see what is on the site, VIPs theirs besides, administrators drafts; a removed one nobody', async () => {
  // Its removal blocks the link.
  const free = await withCover({ link: 'https://mega.nz/file/covered' })
  const draft = await withCover({ status: 'draft' })
  const vip = await withCover({ contentType: 'vip-western' })
  const seenBy = async (token?: string): Promise<number[]> =>
    Promise.all([free, draft, vip].map(({ cover }) => look(cover, token)))
  expect(await seenBy()).toEqual([200, 404, 404])
  expect(await seenBy(tokens.member)).toEqual([200, 404, 404])
  expect(await seenBy(tokens.vip)).toEqual([200, 404, 200])
  expect(await seenBy(tokens.admin)).toEqual([200, 200, 200])
  const theirs = await server.request(vip.cover, { headers: bearer(tokens.vip) })
  expect(theirs.headers['cache-control']).toBe('private, no-store')
  await server.app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const removal = {
      reference: 'N-2JZ4-8K0P',
      itemIds: [free.id],
      answer: 451,
      kind: 'Copyright',
      by: 'system',
    } as const
    await removeItems(trx, removal)
  })
  await server.app.listing.catchUp()
  expect(await seenBy()).toEqual([404, 404, 404])
  expect(await look(free.cover, tokens.admin)).toBe(404)
  expect((await put(free.id, await aPicture())).status).toBe(422)
})

test.each(['/covers/nothing/320.webp', `/covers/${'0'.repeat(32)}/320.webp`])('%s is not there', async (address) => {
  expect(await look(address)).toBe(404)
})

test('other widths and kinds are not there', async () => {
  const { cover } = await withCover()
  for (const name of ['321.webp', '320.png', '320', '..%2f320.webp']) {
    expect(await look(cover.replace('320.webp', name)), name).toBe(404)
  }
})

test('an edit keeps the cover or takes it away; another one comes by its own call alone', async () => {
  const { id, cover } = await withCover()
  const edit = async (body: object): Promise<TestResponse> =>
    server.call(`/westerncontent/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...keysOf(tokens.admin) },
      body: JSON.stringify({ version: (await readItem(id)).version, ...body }),
    })
  expect(((await edit({ cover, name: 'Renamed' })).json() as ItemForAdmin).cover).toBe(cover)
  const foreign = await withCover()
  for (const other of [foreign.cover, 'https://covers.example/a.jpg', 'a.jpg']) {
    const refused = await edit({ cover: other })
    expect([refused.status, refused.json()], other).toEqual([422, expect.objectContaining({ field: 'cover' })])
  }
  expect(((await edit({ cover: null })).json() as ItemForAdmin).cover).toBeUndefined()
})

test('a cover of a published entry passes the gate, or is refused', async () => {
  const { id } = await withCover({ validTo: '2099-01-01' })
  await server.app.db.insertInto('prohibited_terms').values({ term_folded: 'ordinary' }).execute()
  const files = await storedFiles()
  const answer = await put(id, await aPicture())
  expect([answer.status, answer.json()]).toEqual([422, expect.objectContaining({ code: 'item.refused' })])
  expect(await storedFiles()).toEqual(files)
  await server.app.db.deleteFrom('prohibited_terms').where('term_folded', '=', 'ordinary').execute()
})

test('an entry without a picture has a drawn cover, and each has a picture for those who share its page', async () => {
  const drawn = await anItem(server.app, { slug: 'drawn', name: 'Drawn & quartered', creators: 'A Limner' })
  const draft = await anItem(server.app, { slug: 'drawn-draft', status: 'draft' })
  const vip = await anItem(server.app, { slug: 'drawn-vip', contentType: 'vip-western' })
  const picture = await server.request('/covers/drawn.svg')
  expect([picture.status, picture.headers['content-type'], picture.headers['cache-control']]).toEqual([
    200,
    'image/svg+xml',
    'public, max-age=60',
  ])
  expect(picture.text).toContain('<title>Drawn &#38; quartered, A Limner</title>')
  for (const { slug } of [drawn, draft, vip]) {
    for (const kind of ['svg', 'png']) {
      const address = `/covers/${slug}.${kind}`
      const isFree = slug === 'drawn'
      expect(await look(address), address).toBe(isFree ? 200 : 404)
      expect(await look(address, tokens.member), address).toBe(isFree ? 200 : 404)
      expect(await look(address, tokens.vip), address).toBe(slug === 'drawn-draft' ? 404 : 200)
      expect(await look(address, tokens.admin), address).toBe(200)
    }
  }
  for (const name of ['nothing.svg', 'nothing', 'drawn.gif', 'Drawn', '..%2fdrawn.svg'])
    expect(await look(`/covers/${name}`)).toBe(404)
  expect((await server.request('/covers/drawn')).text).toBe(picture.text)
  const page = await server.request('/western/drawn')
  expect(page.text).toContain('property="og:image" content="http')
  expect(page.text).toContain('/covers/drawn.png"')
  expect(page.text).toMatch(
    /<img[^>]* src="\/covers\/drawn\.svg"[^>]* alt="Cover of Drawn &amp; quartered"[^>]* width="320" height="460"/,
  )
})

test('the shared picture is made once, and anew when the entry or its cover changes', async () => {
  const item = await anItem(server.app, { slug: 'shared-once' })
  const before = (await sharePictures()).length
  const first = await server.request('/covers/shared-once.png')
  expect((await sharp(first.bytes).metadata()).width).toBe(1200)
  await server.request('/covers/shared-once.png')
  expect((await sharePictures()).length).toBe(before + 1)
  const { cover } = (await put(item.id, await aPicture())).json() as ItemForAdmin
  const second = await server.request('/covers/shared-once.png')
  expect(second.bytes.equals(first.bytes)).toBe(false)
  expect((await sharePictures()).length).toBe(before + 2)
  const bySlug = await server.request('/covers/shared-once')
  expect(bySlug.bytes.equals((await server.request(cover ?? '')).bytes)).toBe(true)
  const page = await server.request('/western/shared-once')
  expect(page.text).toContain(`src="${cover}"`)
  const structured = /"image":"[^"]*"/.exec(page.text.replaceAll('\\/', '/'))?.[0]
  expect(structured).toContain(wide(cover ?? '', 640))
})

test('in a bucket the three widths are kept, shown and swept, and a bucket that fails refuses the cover', async () => {
  const bucket = await startBucket()
  const there = await openTestServer({ env: { EVIDENCE_URL: bucket.address } })
  try {
    const admin = await signIn(there, await aMember(there.app, { isAdmin: true }))
    const { id, slug } = await anItem(there.app, { slug: 'in-a-bucket' })
    const change = (method: string, version: number, body?: Buffer): Promise<TestResponse> =>
      there.call(`/api/items/${id}/cover?version=${version}`, {
        method,
        headers: { 'content-type': 'image/jpeg', ...keysOf(admin) },
        ...(body === undefined ? {} : { body }),
      })
    bucket.failure = { status: 403, code: 'AccessDenied' }
    const refused = await change('PUT', 1, await aPicture())
    expect([refused.status, refused.json()]).toMatchObject([503, { code: 'evidence.store' }])
    const { cover = '', version } = (await change('PUT', 1, await aPicture())).json() as ItemForAdmin
    const hash = cover.split('/')[2]
    expect([...bucket.objects.keys()]).toEqual([160, 320, 640].map((width) => `/papers/site/a/cover-${hash}-${width}`))
    expect((await there.request(wide(cover, 640))).bytes.equals([...bucket.objects.values()][2] ?? Buffer.of())).toBe(
      true,
    )
    expect((await there.request(`/covers/${slug}.png`)).status).toBe(200)
    expect((await change('DELETE', version)).status).toBe(200)
    there.clock.advance(25 * 3_600_000)
    await sweepCovers(there.app)
    expect(bucket.objects.size).toBe(0)
  } finally {
    await there.close()
    await bucket.close()
  }
})
