import type { IncomingMessage, ServerResponse } from 'node:http'
import { startHttp } from './hostile-server.ts'

/** A bucket as S3 answers for it, two objects a page of its list. */
export interface Bucket {
  /** The value of EVIDENCE_URL. */
  address: string
  /** By their paths. */
  objects: Map<string, Buffer>
  /** Pieces of a file that is not whole yet, by their numbers. */
  parts: Map<number, Buffer>
  asked: { method: string; path: string; authorization: string }[]
  /** The failure of the next answers. */
  failure: { status: number; code: string; times?: number } | 'silence' | undefined
  close(): Promise<void>
}

export async function startBucket(): Promise<Bucket> {
  const host = await startHttp((request, response) => void answer(bucket, request, response))
  const bucket: Bucket = {
    address: `http://AKIDEXAMPLE:se%2Fcret@127.0.0.1:${host.port}/papers/site/a?region=eu-central-1`,
    objects: new Map(),
    parts: new Map(),
    asked: [],
    failure: undefined,
    close: () => host.close(),
  }
  return bucket
}

async function answer(bucket: Bucket, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { objects, parts, failure } = bucket
  const { method = '', headers } = request
  const url = new URL(request.url ?? '', 'http://bucket')
  bucket.asked.push({ method, path: url.pathname, authorization: headers.authorization ?? '' })
  const body: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) body.push(piece)
  if (failure === 'silence') return
  if (failure !== undefined) {
    const { status, code, times = 1 } = failure
    bucket.failure = times > 1 ? { status, code, times: times - 1 } : undefined
    return void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
  }
  if (url.searchParams.has('uploads')) return void response.end('<R><UploadId>an upload</UploadId></R>')
  if (url.searchParams.get('uploadId') === 'an upload') {
    const number = Number(url.searchParams.get('partNumber'))
    if (method === 'PUT') parts.set(number, Buffer.concat(body))
    if (
      method === 'POST' &&
      Buffer.concat(body).includes(`<PartNumber>${parts.size}</PartNumber><ETag>"${parts.size}"`)
    )
      objects.set(url.pathname, Buffer.concat([...parts.values()]))
    if (method !== 'PUT') parts.clear()
    return void response.writeHead(200, { etag: `"${number}"` }).end()
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
