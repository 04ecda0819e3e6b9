import { connect, type Socket } from 'node:net'

/** What a server did under load. Times are milliseconds from the request's last byte written to the answer's last byte read. */
export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  /** Answers whose status was not the expected one. */
  failures: number
}

/** One request as it goes over the wire. */
export function request(path: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

/** A POST of JSON. */
export function post(path: string, body: object): Buffer {
  const json = Buffer.from(JSON.stringify(body))
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), json])
}

export const clientKey = { 'api-key': 'daybook-web' }
export const compressed = { 'accept-encoding': 'gzip, deflate, br' }

const headEnd = Buffer.from('\r\n\r\n')

/**
 * Sends the requests round and round over keep-alive connections, on each the next one when the last is answered.
 * It reads no more of an answer than its length, so that the load costs less than the serving.
 */
export async function load(
  port: number,
  requests: Buffer[],
  {
    connections = 16,
    seconds = Infinity,
    count = Infinity,
    status = 200,
  }: { connections?: number; seconds?: number; count?: number; status?: number },
): Promise<LoadResult> {
  const times: number[] = []
  let failures = 0
  let sent = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const expected = `HTTP/1.1 ${status} `

  function drive(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let head: Buffer | undefined
      let missing = 0
      let askedAt = 0
      const ask = (): void => {
        askedAt = performance.now()
        if (askedAt >= endsAt || sent >= count) {
          socket.end()
          resolve()
          return
        }
        socket.write(requests[sent % requests.length] as Buffer)
        sent += 1
      }
      const answered = (): void => {
        times.push(performance.now() - askedAt)
        ask()
      }
      socket.on('data', (chunk) => {
        if (missing > 0) {
          missing -= chunk.length
          if (missing === 0) answered()
          return
        }
        const bytes = head === undefined ? chunk : Buffer.concat([head, chunk])
        const end = bytes.indexOf(headEnd)
        if (end < 0) {
          head = bytes
          return
        }
        head = undefined
        const text = bytes.toString('latin1', 0, end)
        if (!text.startsWith(expected)) failures += 1
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
        if (length === undefined && !text.startsWith('HTTP/1.1 304')) {
          socket.destroy()
          reject(new Error(`An answer without a length:\n${text}`))
          return
        }
        missing = Number(length ?? 0) - (bytes.length - end - 4)
        if (missing === 0) answered()
      })
      socket.on('error', reject)
      socket.on('connect', ask)
    })
  }

  await Promise.all(Array.from({ length: connections }, drive))
  const elapsed = performance.now() - startedAt
  return { perSecond: (times.length / elapsed) * 1000, p50: quantile(times, 0.5), p99: quantile(times, 0.99), failures }
}

/** The value below which this share of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** Lets contenders run in turn, several rounds, so that a noisy neighbour meets all of them. @returns each one's results */
export async function inTurn<Name extends string, Result>(
  contenders: Record<Name, () => Promise<Result>>,
  rounds: number,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contenders) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await contenders[name]())
  }
  return results
}
