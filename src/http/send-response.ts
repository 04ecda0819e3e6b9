import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type CachedResponse, type Encoding, jsonType } from './cache/cached-response.ts'
import type { Compressions } from './cache/compressions.ts'
import { presentError } from '../platform/errors.ts'
import type { CommonHeaders, ReadyHeads } from './ready-heads.ts'
import type { Exchange } from './server-parts.ts'

/**
 * Answers with an error, in JSON.
 * @param isLast whether the connection is of no further use, because the request was not read to its end
 */
export function sendError(response: ServerResponse, error: unknown, { isLast = false } = {}): void {
  if (response.destroyed) return
  // Half an answer cannot be taken back.
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, headers, body } = presentError(error)
  const json = JSON.stringify(body)
  response.writeHead(status, {
    ...headers,
    'content-type': jsonType,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(json),
    ...(isLast ? { connection: 'close' } : {}),
  })
  response.end(json)
}

/** Sends the browser on to another address of this site, for good. */
export function sendMoved(response: ServerResponse, location: string): void {
  response.writeHead(301, { location, 'cache-control': 'no-cache', 'content-length': 0 }).end()
}

/** The headers of a finished answer that does not come out of the framework. */
export interface Company {
  common: CommonHeaders
  requestId: string
  /** Whether the connection ends with this answer, because the server stops. */
  isLast: boolean
  /** Undefined where this Node does not take them. */
  readyHeads: ReadyHeads | undefined
}

/** With the way to the caller's address, which few answers need. */
export interface AddressedExchange extends Exchange {
  addressOfCaller: (incoming: IncomingMessage) => string
}

/**
 * Sends an answer, and compresses it first where nobody has asked for that encoding yet.
 * @param company undefined: the further headers are set on the response already
 * @returns the status
 */
export function sendResponse(
  exchange: AddressedExchange,
  answer: CachedResponse,
  compressions: Compressions,
  company?: Company,
): number {
  const { method, headers } = exchange.incoming
  if (method === 'GET') answer.onSend?.(exchange.addressOfCaller(exchange.incoming))
  if (answer.status === 204) {
    // No content has neither a type nor a length.
    exchange.outgoing.writeHead(204, answer.headers).end()
    return 204
  }
  const encoding = answer.encodingFor(headers['accept-encoding'])
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && answer.status === 200 && isUnchanged(headers, answer)) {
    sendUnchanged(exchange, answer, encoding, company)
    return 304
  }
  const ready = answer.ready(encoding)
  if (ready !== undefined) {
    answer.improve(encoding, compressions)
    sendBytes(exchange, answer, encoding, ready, company)
    return answer.status
  }
  const plain = compressions.isBusy ? answer.ready('identity') : undefined
  if (plain !== undefined) {
    sendBytes(exchange, answer, 'identity', plain, company)
    return answer.status
  }
  answer.bytes(encoding, compressions).then(
    (bytes) => sendBytes(exchange, answer, encoding, bytes, company),
    (error: unknown) => exchange.outgoing.destroy(error as Error),
  )
  return answer.status
}

function sendUnchanged(
  exchange: Exchange,
  answer: CachedResponse,
  encoding: Encoding,
  company: Company | undefined,
): void {
  const readyHeads = readyHeadsFor(exchange, company)
  if (company === undefined || readyHeads === undefined)
    exchange.outgoing.writeHead(304, [...answer.unchangedHeadersFor(encoding), ...linesOf(company)]).end()
  else readyHeads.send(exchange.outgoing, 304, answer.unchangedHeadFor(encoding), company)
}

function sendBytes(
  exchange: Exchange,
  answer: CachedResponse,
  encoding: Encoding,
  bytes: Buffer,
  company: Company | undefined,
): void {
  const body = exchange.incoming.method === 'HEAD' ? undefined : bytes
  const readyHeads = readyHeadsFor(exchange, company)
  if (company === undefined || readyHeads === undefined) {
    const headers = [...answer.headersFor(encoding), 'content-length', String(bytes.length), ...linesOf(company)]
    exchange.outgoing.writeHead(answer.status, headers).end(body)
  } else readyHeads.send(exchange.outgoing, answer.status, answer.headFor(encoding, bytes), company, body)
}

function readyHeadsFor({ incoming, outgoing }: Exchange, company: Company | undefined): ReadyHeads | undefined {
  if (company?.readyHeads === undefined || company.isLast) return undefined
  return company.readyHeads.fits(incoming, outgoing) ? company.readyHeads : undefined
}

function linesOf(company: Company | undefined): string[] {
  if (company === undefined) return []
  const lines = [...company.common.list, 'x-request-id', company.requestId]
  if (company.isLast) lines.push('connection', 'close')
  return lines
}

/** Whether the caller has this answer already. The tag decides where they name one (RFC 9110, 13.2.2). */
function isUnchanged(headers: IncomingHttpHeaders, { etag, headers: own }: CachedResponse): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  if (tags !== undefined) return matches(tags, etag)
  const modified = own['last-modified']
  return modified !== undefined && since !== undefined && Date.parse(modified) <= Date.parse(since)
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((candidate) => candidate.trim() === etag)
}
