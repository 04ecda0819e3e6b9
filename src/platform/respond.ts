import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answers.ts'
import { AppError, presentError } from './errors.ts'

/* Requests and answers as Node has them, for what needs no framework. */

/** PRODUCT.md, section 12, "Headers". */
export const usualBodyBytes = 1024 * 1024

/**
 * Reads the body of a request that may have one, where its size can be watched, and leaves it for the framework.
 * @throws {AppError} `body.too_large`, 413
 */
export async function takeBody(request: IncomingMessage & { rawBody?: Buffer }, mostBytes: number): Promise<void> {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  // The stream goes with its socket: it must live on for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw tooLarge(mostBytes)
    chunks.push(chunk)
  }
  request.rawBody = Buffer.concat(chunks)
}

/** What `takeBody` has read; empty where there was nothing. */
export function rawBodyOf(request: IncomingMessage & { rawBody?: Buffer }): Buffer {
  return request.rawBody ?? Buffer.alloc(0)
}

function tooLarge(mostBytes: number): AppError {
  const most = mostBytes < usualBodyBytes ? `${mostBytes / 1024} KiB` : `${mostBytes / 1024 / 1024} MiB`
  return new AppError({
    code: 'body.too_large',
    status: 413,
    message: `The request is larger than ${most}. Send less at once.`,
  })
}

/** Answers a request whose body was not read to its end: the connection is of no further use. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  const { status, headers, body } = presentError(error)
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(JSON.stringify(body))
}

/** For answers whose further headers are set on the response already. */
const setAlready: readonly string[] = []

/**
 * Sends an answer, and compresses it first where nobody has asked for that encoding yet. The two lists hold names and
 * values in turn.
 * @param beside headers of all such answers: one list, always the same
 * @param own headers of this response alone
 */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  beside = setAlready,
  own: string[] = [],
): void {
  const encoding = answer.encodingFor(request.headers['accept-encoding'])
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isUnchanged = isRead && answer.status === 200 && matches(request.headers['if-none-match'], answer.etag)
  const headers = answer.headerLines(encoding, beside).concat(own)
  if (isUnchanged) {
    // The type comes first; what has no content has no type.
    response.writeHead(304, headers.slice(2)).end()
    return
  }
  const finish = (body: Buffer): void => {
    headers.push('content-length', String(body.length))
    response.writeHead(answer.status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const body = answer.ready(encoding)
  if (body !== undefined) finish(body)
  else answer.bytes(encoding).then(finish, (error: unknown) => response.destroy(error as Error))
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((candidate) => candidate.trim() === etag)
}

/**
 * The JSON object that a request carries; empty for an empty body.
 * @throws {AppError} `body.type`, 415, `body.json`, 400
 */
export function readJson(request: IncomingMessage & { rawBody?: Buffer }): Record<string, unknown> {
  const { rawBody } = request
  if (rawBody === undefined || rawBody.length === 0) return {}
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new AppError({
      code: 'body.type',
      status: 415,
      message: 'Send JSON, with the header content-type: application/json.',
    })
  }
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody))
  } catch {
    body = undefined
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError({ code: 'body.json', status: 400, message: 'The body of the request is not a JSON object.' })
  }
  return body as Record<string, unknown>
}
