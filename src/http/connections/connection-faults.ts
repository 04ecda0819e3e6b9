import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { defineError, type ErrorKind } from '../../platform/errors.ts'
import { slowRequest, unreadable, unreadableRequest } from './unreadable.ts'
import type { Connections } from './connections.ts'
import { isUploading } from './uploads.ts'

/**
 * Answers requests that Node itself refuses, before our code sees them, with the headers of every other answer and with
 * a sentence (docs/spec/http.md#request-limits).
 * @param headers names and values in turn
 */
export function answerConnectionFaults(server: Server, connections: Connections, headers: readonly string[]): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket)) return
    const status = statuses[error.code ?? ''] ?? 400
    const body = bodyOf(status)
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
    const all = [...headers, ...ownHeaders(body)]
    for (let i = 0; i < all.length; i += 2) lines.push(`${all[i]}: ${all[i + 1]}`)
    connections.endWith(socket, `${lines.join('\r\n')}\r\n\r\n${body}`)
  })
  server.on('checkExpectation', (_, response) => {
    const body = bodyOf(417)
    response.writeHead(417, [...headers, ...ownHeaders(body)]).end(body)
  })
}

const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

const faults: Record<number, ErrorKind> = {
  400: unreadableRequest,
  408: slowRequest,
  413: defineError({ ...unreadable, status: 413, sentence: 'The request is too large.' }),
  417: defineError({
    ...unreadable,
    status: 417,
    sentence: 'The server makes no promises before it has a request: send it without the header Expect.',
  }),
  431: defineError({ ...unreadable, status: 431, sentence: 'The headers of the request are too large.' }),
}

function bodyOf(status: number): string {
  const { code, sentence: message } = faults[status] ?? unreadableRequest
  return JSON.stringify({ error: message, message, code })
}

function ownHeaders(body: string): string[] {
  return Object.entries({
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).flat()
}
