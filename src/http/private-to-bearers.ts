import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * The response to every request. An answer to a bearer is theirs alone, whatever the route, and nobody keeps it
 * (docs/spec/http.md#caching): every head is written here, so no route can forget it.
 */
export class PrivateToBearers<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number, reasonOrHeaders?: string | Headers, headersAfterReason?: Headers): this {
    const [reason, headers = {}] =
      typeof reasonOrHeaders === 'string' ? [reasonOrHeaders, headersAfterReason] : [undefined, reasonOrHeaders]
    // Right or wrong: what a bearer is refused with is theirs as well.
    const all = this.req.headers.authorization === undefined ? headers : this.#uncached(headers)
    return reason === undefined ? super.writeHead(status, all) : super.writeHead(status, reason, all)
  }

  #uncached(written: Headers): OutgoingHttpHeaders {
    const headers: OutgoingHttpHeaders = { ...this.getHeaders() }
    const lines = Array.isArray(written) ? inPairs(written) : Object.entries(written)
    for (const [name, value] of lines) headers[String(name).toLowerCase()] = value
    const vary = new Set([headers['vary'] ?? []].flat().flatMap((names) => names.split(', ')))
    return { ...headers, 'cache-control': 'private, no-store', vary: [...vary.add('authorization')].join(', ') }
  }
}

function inPairs(list: OutgoingHttpHeader[]): [name: OutgoingHttpHeader, value: OutgoingHttpHeader | undefined][] {
  return Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i] ?? '', list[2 * i + 1]])
}
