import { request, type IncomingHttpHeaders } from 'node:http'

export interface TestResponse {
  status: number
  headers: IncomingHttpHeaders
  /** As it came over the wire: never decompressed. */
  bytes: Buffer
  text: string
  /** @throws {SyntaxError} when the body is not JSON */
  json(): unknown
}

export interface TestRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** One HTTP request as it is written: no redirect is followed, nothing is decompressed, no header is added. */
export function sendRequest(address: string, query: TestRequest = {}): Promise<TestResponse> {
  const { method = 'GET', headers = {}, body } = query
  return new Promise((answered, failed) => {
    let hasAnswer = false
    const sent = request(address, { method, headers, agent: false }, (response) => {
      hasAnswer = true
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', failed)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        answered({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text: bytes.toString('utf8'),
          json: () => JSON.parse(bytes.toString('utf8')) as unknown,
        })
      })
    })
    sent.on('error', (error) => {
      // A server may answer and hang up before it has read a body that is too large.
      if (!hasAnswer) failed(error)
    })
    sent.end(body)
  })
}

/** Decodes a payload as docs/spec/http.md#encoded-payload tells an outsider to, without the product's own code. */
export function decode(data: unknown): unknown {
  if (typeof data !== 'string') throw new TypeError(`data is not an encoded text: ${JSON.stringify(data)}`)
  const base64 = data.slice(0, 2) + data.slice(3)
  return JSON.parse(Buffer.from(base64, 'base64').toString('utf8')) as unknown
}
