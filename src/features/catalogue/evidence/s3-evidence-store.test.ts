import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CountingServer, startHttp } from '../../../../tests/harness/hostile-server.ts'
import { S3EvidenceStore } from './s3-evidence-store.server.ts'

/** A bucket as S3 answers for it, two objects a page of its list. */
const objects = new Map<string, Buffer>()
const asked: { method: string; path: string; authorization: string }[] = []
let host: CountingServer

beforeAll(async () => {
  host = await startHttp((request, response) => void answer(request, response))
})
afterAll(() => host.close())

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request
  const url = new URL(request.url ?? '', 'http://bucket')
  asked.push({ method, path: url.pathname, authorization: headers.authorization ?? '' })
  const body: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) body.push(piece)
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

const open = (): S3EvidenceStore =>
  new S3EvidenceStore(`http://AKIDEXAMPLE:se%2Fcret@127.0.0.1:${host.port}/papers/site/a?region=eu-central-1`)

async function bytesOf(file: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of file) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('a file is put into the bucket under its prefix, read, listed over several pages and deleted', async () => {
  const store = open()
  for (const id of ['one', 'two', 'three']) await store.put(id, Buffer.from(`The file ${id}`))
  expect([...objects.keys()]).toEqual(['/papers/site/a/one', '/papers/site/a/two', '/papers/site/a/three'])
  expect(await bytesOf(store.read('two'))).toBe('The file two')
  const listed = []
  for await (const { id, storedAt } of store.list()) listed.push([id, new Date(storedAt).toISOString()])
  expect(listed).toEqual(['one', 'two', 'three'].map((id) => [id, '2024-03-05T14:07:00.000Z']))
  await store.delete('two')
  expect(objects.size).toBe(2)
})

test('each request is signed for the region of the address, and never holds the secret', async () => {
  await open().put('signed', Buffer.from('x'))
  const { authorization, path } = asked.at(-1) ?? {}
  expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, /)
  expect(`${path} ${authorization}`).not.toMatch(/se(%2F|\/)cret/)
})

test('a failure names the status and the code of the store, without its address', async () => {
  await expect(bytesOf(open().read('missing'))).rejects.toThrow('The store of evidence answered GET with 404 NoSuchKey')
})
