import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CountingServer, startHttp } from '../../../../tests/harness/hostile-server.ts'
import { openLog } from '../../../platform/log.ts'
import { openEvidenceStore } from './evidence-store.server.ts'
import { S3EvidenceStore } from './s3-evidence-store.server.ts'

/** A bucket as S3 answers for it, two objects a page of its list. */
const objects = new Map<string, Buffer>()
const asked: { method: string; path: string; authorization: string }[] = []
let host: CountingServer
/** The failure of the next answers. */
let failure: { status: number; code: string; times?: number } | 'silence' | undefined

beforeAll(async () => {
  host = await startHttp((request, response) => void answer(request, response))
})
afterAll(() => host.close())
beforeEach(() => (failure = undefined))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request
  const url = new URL(request.url ?? '', 'http://bucket')
  asked.push({ method, path: url.pathname, authorization: headers.authorization ?? '' })
  const body: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) body.push(piece)
  if (failure === 'silence') return
  if (failure !== undefined) {
    const { status, code, times = 1 } = failure
    failure = times > 1 ? { status, code, times: times - 1 } : undefined
    return void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
  }
  if (method === 'PUT') objects.set(url.pathname, Buffer.concat(body))
  if (method === 'DELETE') objects.delete(url.pathname)
  if (method !== 'GET') return void response.writeHead(method === 'DELETE' ? 204 : 200).end()
  if (url.searchParams.get('list-type') === '2') {
    const from = Number(url.searchParams.get('continuation-token') ?? 0)
    const keys = [...objects.keys()].map((path) => path.replace('/papers/', ''))
    const page = keys.slice(from, from + 2)
    const next = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><LastModified>2024-03-05T14:07:00.000Z</LastModified></Contents>`,
    )
    return void response.end(`<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`)
  }
  const found = objects.get(url.pathname)
  if (found === undefined) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  response.end(found)
}

let lines: string[] = []
const open = (options: { answerMs?: number } = {}): S3EvidenceStore => {
  lines = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  return new S3EvidenceStore(address(), log, options)
}
const address = () => `http://AKIDEXAMPLE:se%2Fcret@127.0.0.1:${host.port}/papers/site/a?region=eu-central-1`

async function bytesOf(file: Promise<AsyncIterable<Uint8Array>>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of await file) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('a file is put into the bucket under its prefix, read, listed over several pages and deleted', async () => {
  const store = open()
  for (const id of ['one', 'two', 'three']) await store.put(id, Buffer.from(`The file ${id}`))
  expect([...objects.keys()]).toEqual(['/papers/site/a/one', '/papers/site/a/two', '/papers/site/a/three'])
  expect(await bytesOf(store.read('two'))).toBe('The file two')
  const listed = []
  for await (const id of store.list()) listed.push(id)
  expect(listed).toEqual(['one', 'two', 'three'])
  await store.delete('two')
  expect(objects.size).toBe(2)
})

test('files go into the bucket where EVIDENCE_URL names one, and into no folder', async () => {
  const log = openLog('info', { write: () => undefined })
  const store = openEvidenceStore({ dataDir: '/dev/null', evidenceUrl: address() }, log)
  await store.put('by-setting', Buffer.from('In the bucket'))
  expect(objects.get('/papers/site/a/by-setting')?.toString()).toBe('In the bucket')
  await store.delete('by-setting')
})

test('each request is signed for the region of the address, and never holds the secret', async () => {
  await open().put('signed', Buffer.from('x'))
  const { authorization, path } = asked.at(-1) ?? {}
  expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, /)
  expect(`${path} ${authorization}`).not.toMatch(/se(%2F|\/)cret/)
})

test('a file that is not there is told as lost', async () => {
  await expect(bytesOf(open().read('missing'))).rejects.toMatchObject({ code: 'evidence.lost', status: 404 })
})

test('a failure names the status and the code of the store, in one line of the log and without its address', async () => {
  failure = { status: 403, code: 'AccessDenied' }
  await expect(open().put('one', Buffer.from('x'))).rejects.toMatchObject({
    code: 'evidence.store',
    status: 503,
    message: 'The store of the files of evidence answers with 403 AccessDenied. Please try again later.',
  })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('403 AccessDenied')
  expect(lines[0]).not.toContain('papers')
})

test('a store that stumbles is asked again', async () => {
  failure = { status: 503, code: 'SlowDown', times: 2 }
  const before = asked.length
  await open().put('again', Buffer.from('x'))
  expect(asked.length - before).toBe(3)
  expect(lines).toEqual([])
})

test('a store that does not answer is given up', { timeout: 5_000 }, async () => {
  failure = 'silence'
  await expect(open({ answerMs: 50 }).put('one', Buffer.from('x'))).rejects.toMatchObject({
    code: 'evidence.store',
    message: 'The store of the files of evidence does not answer in time. Please try again later.',
  })
  expect(lines).toHaveLength(1)
})
