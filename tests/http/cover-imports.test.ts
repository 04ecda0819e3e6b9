import { readdir } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exportPieces } from '../../src/features/catalogue/transfer/export-items.server.ts'
import { readImportFile } from '../../src/features/catalogue/transfer/import-file.server.ts'
import { importItems } from '../../src/features/catalogue/transfer/import-items.server.ts'
import { type CountingServer, startHttp } from '../harness/hostile-server.ts'
import { deleteAllItems } from '../harness/items.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/* Covers of imports (docs/spec/publishing.md#covers-of-imports): from a host of this machine, which tests alone may ask. */

let server: TestServer
let host: CountingServer
let picture: Buffer
let port: number

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url.startsWith('/picture')) response.end(picture)
  else if (url === '/text') response.end('no picture')
  else if (url === '/endless') {
    const more = (): void => {
      while (response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  } else if (url === '/slow') response.write('a')
  else if (url === '/moved') response.writeHead(302, { location: '/picture?moved' }).end()
  else if (url === '/away') response.writeHead(302, { location: `http://other.example:${port}/picture` }).end()
  else if (url === '/round') response.writeHead(302, { location: '/round' }).end()
  else response.writeHead(404).end()
}

beforeAll(async () => {
  picture = await sharp({ create: { width: 400, height: 600, channels: 3, background: '#2b5a6b' } })
    .jpeg()
    .toBuffer()
  host = await startHttp(answer)
  port = host.port
  server = await openTestServer({
    env: { COVER_HOSTS: 'covers.example, *.images.example, inside.example' },
    coverSource: {
      allowed: [host.place],
      pictureMs: 4_000,
      resolve: (name) => Promise.resolve([name === 'inside.example' ? '10.0.0.7' : '127.0.0.1']),
    },
  })
})
afterAll(async () => {
  await server.close()
  await host.close()
})
beforeEach(() => deleteAllItems(server.app))

interface Row {
  name: string
  cover: string
  [column: string]: string
}

async function imported(rows: Row[], dryRun = false) {
  const text = rows
    .map((row) =>
      JSON.stringify({
        slug: row.name.toLowerCase(),
        category: 'Literature',
        contentType: 'western',
        link: `https://files.example/${row.name}`,
        rightsBasis: 'public_domain',
        evidence: 'Of 1890.',
        permitsDownload: 'true',
        people: 'none',
        ...row,
      }),
    )
    .join('\n')
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(text)
  }
  const reasons: string[] = []
  const file = await readImportFile(chunks(), { path: 'works.jsonl' })
  const tally = await importItems(
    server.app,
    file,
    { publish: true, createCategories: true, dryRun },
    { onProgress: ({ rejected }) => void reasons.push(...rejected.flatMap((one) => one.reasons)) },
  )
  await server.app.listing.catchUp()
  return { ...tally, reasons }
}

const at = (path: string, name = 'covers.example'): string => `http://${name}:${port}${path}`
const coverOf = async (slug: string): Promise<string | null> =>
  (await server.app.db.selectFrom('items').select('cover').where('slug', '=', slug).executeTakeFirstOrThrow()).cover
const storedFiles = (): Promise<string[]> => readdir(join(server.app.config.dataDir, 'evidence')).catch(() => [])
async function exported(): Promise<Row> {
  let text = ''
  for await (const piece of exportPieces(server.app, { format: 'jsonl' })) text += piece.text
  return JSON.parse(text) as Row
}

test('a picture of a named host is fetched once, shown, and the file changes nothing when it comes again', async () => {
  const row = { name: 'Walden', cover: at('/picture') }
  const before = host.requests.length
  expect(await imported([row], true)).toMatchObject({ created: 1, reasons: [] })
  expect(host.requests.length, 'a check fetches nothing').toBe(before)
  expect(await imported([row])).toMatchObject({ created: 1, published: 1, reasons: [] })
  const hash = await coverOf('walden')
  expect((await server.request(`/covers/${hash}/640.webp`)).status).toBe(200)
  expect(await imported([row])).toMatchObject({ unchanged: 1, updated: 0 })
  expect(host.requests.length).toBe(before + 1)
  // The export names it, and comes back as it was.
  const line = await exported()
  expect(line.cover).toBe(`/covers/${hash}/640.webp`)
  expect(await imported([line])).toMatchObject({ unchanged: 1, reasons: [] })
  expect(await imported([{ ...line, cover: `https://library.example${line.cover}` }])).toMatchObject({ unchanged: 1 })
  expect(await imported([{ ...line, cover: '' }])).toMatchObject({ updated: 1 })
  expect(await coverOf('walden')).toBeNull()
})

test('a host below a named one, and a redirect on the same host, are followed', async () => {
  const rows = [
    { name: 'Below', cover: at('/picture', 'a.images.example') },
    { name: 'Moved', cover: at('/moved') },
  ]
  expect(await imported(rows)).toMatchObject({ created: 2, reasons: [] })
  expect(await coverOf('moved')).not.toBeNull()
})

test.each([
  ['a host that is not named', () => at('/picture', 'other.example'), /lies on a host that is not in COVER_HOSTS/],
  ['a host below a named one that stands for itself', () => at('/picture', 'a.covers.example'), /not in COVER_HOSTS/],
  ['a host above a named one', () => at('/picture', 'images.example'), /not in COVER_HOSTS/],
  ['a redirect to another host', () => at('/away'), /leads on to a host that is not in COVER_HOSTS/],
  ['redirects without an end', () => at('/round'), /leads on more than three times/],
  ['a name that leads into the network', () => 'http://inside.example/picture', /private, local or reserved/],
  ['an address of this machine', () => `http://${host.place}/picture`, /private, local or reserved/],
  ['another port', () => 'https://covers.example:8443/picture', /ports 80 and 443 only/],
  ['a text', () => at('/text'), /was fetched\. This is no JPEG, PNG or WebP picture/],
  ['more than 10 MB', () => at('/endless'), /is larger than 10 MB/],
  ['an answer that does not end', () => at('/slow'), /no whole picture came in time/],
  ['what is not there', () => at('/nothing'), /answers with 404/],
  ['another protocol', () => 'ftp://covers.example/a.jpg', /cover /],
  ['a word', () => 'walden.jpg', /cover /],
  ['the picture of no entry', () => `/covers/${'0'.repeat(32)}/320.webp`, /the picture of another entry/],
])('%s rejects its row in one sentence, whole, and no picture stays', async (_what, cover, sentence) => {
  const files = await storedFiles()
  const result = await imported([
    { name: 'Refused', cover: cover() },
    { name: 'Beside', cover: '' },
  ])
  expect(result).toMatchObject({ created: 1, rejected: 1 })
  expect(result.reasons).toEqual([expect.stringMatching(sentence)])
  expect(await storedFiles()).toEqual(files)
  expect(await coverOf('beside')).toBeNull()
})

test('a published entry keeps its cover where the new one is refused', async () => {
  await imported([{ name: 'Kept', cover: at('/picture') }])
  const before = await coverOf('kept')
  expect(await imported([{ name: 'Kept', cover: at('/text'), description: 'Changed.' }])).toMatchObject({ rejected: 1 })
  expect(await coverOf('kept')).toBe(before)
  expect(await imported([{ name: 'Kept', cover: at('/picture?2'), description: 'Changed.' }])).toMatchObject({
    updated: 1,
  })
  expect(await coverOf('kept')).not.toBe(before)
})
