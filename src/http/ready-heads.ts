import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'

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

/** Sends a head that is one text already, where `writeHead` would check and put together each header anew. */
export class ReadyHeads {
  readonly #afterDate: string
  #second = -1
  #closing = ''

  constructor({ keepAliveTimeout }: Pick<Server, 'keepAliveTimeout'>) {
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

/** A release starts with these. `tests/http/ready-heads.test.ts` compares both ways with that of the site. */
const knownNode = /^v2[24]\./

/** @returns undefined where another Node runs the site: it may send another head */
export function openReadyHeads(
  like: Pick<Server, 'keepAliveTimeout'>,
  version = process.version,
): ReadyHeads | undefined {
  return knownNode.test(version) ? new ReadyHeads(like) : undefined
}
