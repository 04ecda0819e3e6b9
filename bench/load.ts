import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The results of a server under load. Times are milliseconds from the request's last byte written to the answer's last
 * byte read.
 */
export interface LoadResult {
  answers: number
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
export function post(path: string, body: object, headers: Record<string, string> = {}): Buffer {
  const json = Buffer.from(JSON.stringify(body))
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${more.join('')}content-length: ${json.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), json])
}

export const clientKey = { 'api-key': 'daybook-web' }
export const compressed = { 'accept-encoding': 'gzip, deflate, br' }

const headEnd = Buffer.from('\r\n\r\n')

/** Which client drives: `wrk` costs a fraction of what a server does, a client in Node about as much as one. */
export const client: 'wrk' | 'node' = hasWrk() ? 'wrk' : 'node'

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // It tells its version and ends with 1.
    return (error as { code?: string }).code !== 'ENOENT'
  }
}

/**
 * Sends the requests round and round over keep-alive connections, on each the next one when the last is answered; for
 * so many seconds, or so many requests once.
 */
export function load(
  port: number,
  requests: Buffer[],
  overrides: { connections?: number; seconds: number } | { connections?: number; count: number },
): Promise<LoadResult> {
  return 'seconds' in overrides && client === 'wrk'
    ? loadByWrk(port, requests, overrides)
    : loadByNode(port, requests, overrides)
}

/** How long each of some requests takes, one after the other over one connection, in milliseconds. @throws where one fails */
export async function timesOf(port: number, requests: Buffer[]): Promise<number[]> {
  const { times, failures } = await loadByNode(port, requests, { count: requests.length, connections: 1 })
  if (failures > 0) throw new Error(`${failures} of these failed:\n${Buffer.concat(requests).toString()}`)
  return times
}

/** Reads a status above 399 as a failure. */
async function loadByWrk(
  port: number,
  requests: Buffer[],
  { connections = 16, seconds }: { connections?: number; seconds: number },
): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-bench-wrk-'))
  try {
    const script = join(folder, 'requests.lua')
    await writeFile(script, `local requests = {\n${requests.map(luaText).join(',\n')}\n}\n${wrkScript}`)
    // One thread: the other processor is the server's. It counts in whole seconds.
    const whole = String(Math.max(1, Math.round(seconds)))
    const options = ['-t', '1', '-c', String(connections), '-d', whole, '--timeout', '10s', '-s', script]
    const { stdout } = await run('wrk', [...options, `http://127.0.0.1:${port}`])
    const reported = /^told (\{.*\})$/m.exec(stdout)?.[1]
    if (reported === undefined) throw new Error(`wrk does not tell what it did:\n${stdout}`)
    return JSON.parse(reported) as LoadResult
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Times come in microseconds. */
const wrkScript = `
local asked = 0
function request()
  asked = asked % #requests + 1
  return requests[asked]
end
function done(summary, latency)
  local errors = summary.errors
  print(string.format('told {"answers":%d,"perSecond":%.3f,"p50":%.3f,"p99":%.3f,"failures":%d}',
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`

function luaText(bytes: Buffer): string {
  return `"${bytes.toString('latin1').replaceAll(/[^ !#-[\]-~]/g, (sign) => `\\${String(sign.charCodeAt(0)).padStart(3, '0')}`)}"`
}

/** Reads no more of an answer than its length, so that the load costs no more than it must. */
async function loadByNode(
  port: number,
  requests: Buffer[],
  {
    connections = 16,
    seconds = Infinity,
    count = Infinity,
  }: { connections?: number; seconds?: number; count?: number },
): Promise<LoadResult & { times: number[] }> {
  const times: number[] = []
  let failures = 0
  let sent = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000

  function drive(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let head: Buffer | undefined
      let missing = 0
      let requestedAt = 0
      const request = (): void => {
        requestedAt = performance.now()
        if (requestedAt >= endsAt || sent >= count) {
          socket.end()
          resolve()
          return
        }
        socket.write(requests[sent % requests.length] as Buffer)
        sent += 1
      }
      const answered = (): void => {
        times.push(performance.now() - requestedAt)
        request()
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
        if (!/^HTTP\/1\.1 [23]/.test(text)) failures += 1
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
      socket.on('connect', request)
    })
  }

  await Promise.all(Array.from({ length: connections }, drive))
  const elapsed = performance.now() - startedAt
  return {
    times,
    answers: times.length,
    perSecond: (times.length / elapsed) * 1000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failures,
  }
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
