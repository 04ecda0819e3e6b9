import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Bucket, startBucket } from '../../../../tests/harness/bucket.ts'
import { openLog } from '../../../platform/log.ts'
import { openEvidenceStore } from './evidence-store.server.ts'
import { S3EvidenceStore } from './s3-evidence-store.server.ts'

let bucket: Bucket
beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(() => bucket.close())
beforeEach(() => (bucket.failure = undefined))

let lines: string[] = []
const open = (options: { answerMs?: number } = {}): S3EvidenceStore => {
  lines = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  return new S3EvidenceStore(bucket.address, log, options)
}

async function bytesOf(file: Promise<AsyncIterable<Uint8Array>>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of await file) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('a file is put into the bucket under its prefix, read, listed over several pages and deleted', async () => {
  const store = open()
  for (const id of ['one', 'two', 'three']) await store.put(id, Buffer.from(`The file ${id}`))
  expect([...bucket.objects.keys()]).toEqual(['/papers/site/a/one', '/papers/site/a/two', '/papers/site/a/three'])
  expect(await bytesOf(store.read('two'))).toBe('The file two')
  const listed = []
  for await (const id of store.list()) listed.push(id)
  expect(listed).toEqual(['one', 'two', 'three'])
  await store.delete('two')
  expect(bucket.objects.size).toBe(2)
})

test('a large file is put piece by piece; one that is refused is not there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-bucket-'))
  try {
    const [path, content] = [join(folder, 'large'), randomBytes(20 * 1024 * 1024)]
    await writeFile(path, content)
    await open().putFile('large', path)
    expect(bucket.objects.get('/papers/site/a/large')?.equals(content)).toBe(true)
    expect(bucket.asked.slice(-4).map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT', 'POST'])
    await open().delete('large')
    await writeFile(path, '')
    await open().putFile('empty', path)
    expect(bucket.objects.get('/papers/site/a/empty')).toHaveLength(0)
    await open().delete('empty')
    const store = open()
    bucket.failure = { status: 403, code: 'AccessDenied' }
    await expect(store.putFile('refused', path)).rejects.toMatchObject({ code: 'evidence.store' })
    expect(bucket.objects.has('/papers/site/a/refused')).toBe(false)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('files go into the bucket where EVIDENCE_URL names one, and into no folder', async () => {
  const log = openLog('info', { write: () => undefined })
  const store = openEvidenceStore({ dataDir: '/dev/null', evidenceUrl: bucket.address }, log)
  await store.put('by-setting', Buffer.from('In the bucket'))
  expect(bucket.objects.get('/papers/site/a/by-setting')?.toString()).toBe('In the bucket')
  await store.delete('by-setting')
})

test('each request is signed for the region of the address, and never holds the secret', async () => {
  await open().put('signed', Buffer.from('x'))
  const { authorization, path } = bucket.asked.at(-1) ?? {}
  expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, /)
  expect(`${path} ${authorization}`).not.toMatch(/se(%2F|\/)cret/)
})

test('a file that is not there is told as lost', async () => {
  await expect(bytesOf(open().read('missing'))).rejects.toMatchObject({ code: 'evidence.lost', status: 404 })
})

test('a failure names the status and the code of the store, in one line of the log and without its address', async () => {
  bucket.failure = { status: 403, code: 'AccessDenied' }
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
  bucket.failure = { status: 503, code: 'SlowDown', times: 2 }
  const before = bucket.asked.length
  await open().put('again', Buffer.from('x'))
  expect(bucket.asked.length - before).toBe(3)
  expect(lines).toEqual([])
})

test('a store that does not answer is given up', { timeout: 5_000 }, async () => {
  bucket.failure = 'silence'
  await expect(open({ answerMs: 50 }).put('one', Buffer.from('x'))).rejects.toMatchObject({
    code: 'evidence.store',
    message: 'The store of the files of evidence does not answer in time. Please try again later.',
  })
  expect(lines).toHaveLength(1)
})
