import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Duplex } from 'node:stream'

/* The heads of finished answers as ready texts (docs/decisions/2026-11-22-ready-heads.md). */

/** The lines of a head, its status first, without the empty line that ends it; headers are names and values in turn. */
export function headText(status: number, headers: readonly string[]): string {
  return inOnePiece(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${linesOf(headers)}`)
}

/** A concatenated text is a tree of its parts, which every answer would have to walk again. */
function inOnePiece(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function linesOf(headers: readonly string[]): string {
  let text = ''
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  return text
}

/** The headers of every finished answer, in the two forms in which a head is sent. */
export interface CommonHeaders {
  /** Names and values in turn, as `writeHead` takes them. */
  readonly list: readonly string[]
  readonly text: string
}

export function commonHeaders(list: readonly string[]): CommonHeaders {
  return { list, text: inOnePiece(`${linesOf(list)}x-request-id: `) }
}

/** The traits of a server that show in its heads. */
type ServerTraits = Pick<Server, 'keepAliveTimeout' | 'maxRequestsPerSocket'>

/** Sends a head that is one text already, where `writeHead` would check and put together each header anew. */
export class ReadyHeads {
  readonly #afterDate: string
  #second = -1
  #closing = ''

  constructor({ keepAliveTimeout }: ServerTraits) {
    this.#afterDate = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n\r\n`
  }

  /** Whether this response can go out in this way: one of HTTP/1.1, to no bearer, after which the connection stays. */
  fits(request: IncomingMessage, response: ServerResponse): boolean {
    // An answer to a bearer has a head of its own, which only `writeHead` writes (`PrivateToBearers`).
    if (request.headers.authorization !== undefined) return false
    return response.shouldKeepAlive && request.httpVersionMinor === 1
  }

  /** @param head as `headText` makes it, with the length of the body, if there is one */
  send(
    response: ServerResponse,
    status: number,
    head: string,
    { common, requestId }: { common: CommonHeaders; requestId: string },
    body?: Buffer,
  ): void {
    response.statusCode = status
    const withHead = response as WithHead
    // oxlint-disable-next-line no-underscore-dangle
    withHead._header = head + common.text + requestId + this.#end()
    response.end(body)
  }

  /** Node's own headers, which close every head: they change once a second. */
  #end(): string {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#closing = inOnePiece(`\r\nDate: ${new Date(second * 1000).toUTCString()}${this.#afterDate}`)
    }
    return this.#closing
  }
}

/** Node keeps the finished head here until the first bytes of the body go out with it; the one internal name we lean on. */
type WithHead = ServerResponse & { _header: string | null }

const maxTestMs = 2_000

/**
 * Tries both ways of sending on a server like this one, without a network.
 * @returns the ready heads; undefined if this Node does not send with them exactly what it sends with `writeHead`
 */
export async function openReadyHeads(like: ServerTraits): Promise<ReadyHeads | undefined> {
  const heads = new ReadyHeads(like)
  const usual = await transcript(like, (response, { status, headers, common, body }) => {
    const length = body === undefined ? [] : ['content-length', String(body.length)]
    response.writeHead(status, [...headers, ...length, ...common.list, 'x-request-id', 'test'])
    response.end(response.req.method === 'HEAD' ? undefined : body)
  })
  const ready = await transcript(like, (response, { status, headers, common, body }) => {
    if (!heads.fits(response.req, response)) return response.destroy()
    const length = body === undefined ? [] : ['content-length', String(body.length)]
    const sent = response.req.method === 'HEAD' ? undefined : body
    heads.send(response, status, headText(status, [...headers, ...length]), { common, requestId: 'test' }, sent)
  })
  return usual !== undefined && usual === ready ? heads : undefined
}

interface Sample {
  status: number
  headers: string[]
  common: CommonHeaders
  body: Buffer | undefined
}

const sampleRequests = ['GET /', 'GET /long', 'HEAD /', 'GET /unchanged', 'GET /']

function sampleFor(path: string | undefined): Sample {
  const headers = ['content-type', 'text/plain', 'etag', 'W/"test"']
  const common = commonHeaders(['x-content-type-options', 'nosniff'])
  if (path === '/unchanged') return { status: 304, headers, common, body: undefined }
  return { status: 200, headers, common, body: Buffer.alloc(path === '/long' ? 100_000 : 10, 'é') }
}

/** The bytes of such a server on one connection, without dates; undefined if it does not end. */
async function transcript(
  like: ServerTraits,
  answer: (response: ServerResponse, sample: Sample) => void,
): Promise<string | undefined> {
  const sent: Buffer[] = []
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, taken) {
      sent.push(chunk)
      taken()
    },
  })
  const ended = new Promise<boolean>((resolve) => {
    const timeout = setTimeout(() => resolve(false), maxTestMs)
    let missing = sampleRequests.length
    const server = createServer((request, response) => {
      response.once('finish', () => {
        missing -= 1
        if (missing > 0) return
        clearTimeout(timeout)
        resolve(true)
      })
      answer(response, sampleFor(request.url))
    })
    server.keepAliveTimeout = like.keepAliveTimeout
    server.maxRequestsPerSocket = like.maxRequestsPerSocket
    server.emit('connection', connection)
    for (const line of sampleRequests) connection.push(`${line} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  })
  const isWhole = await ended
  connection.destroy()
  return isWhole
    ? Buffer.concat(sent)
        .toString('latin1')
        .replaceAll(/^Date: .*$/gm, 'Date')
    : undefined
}
