import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fillAdministration } from './administration-data.ts'
import { type Finding, ms, times } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { clientKey } from './load.ts'
import { type Served, startDaybook } from './processes.ts'

const longestPieceMs = 20
const form = 'application/x-www-form-urlencoded'

/** One request that costs as much as its kind may, or more than it may. */
interface WorstRequest {
  what: string
  method: 'GET' | 'POST'
  path: string
  type?: string
  body?: string
}

const repeated = (count: number, part: (i: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(separator)

const worst: WorstRequest[] = [
  { what: 'An empty form', method: 'POST', path: '/report/other', type: form, body: '' },
  {
    what: 'A form of 120,000 fields',
    method: 'POST',
    path: '/report/other',
    type: form,
    body: repeated(120_000, (i) => i.toString(36), '&').slice(0, 524_000),
  },
  {
    what: 'A form of 200 fields, 512 KiB',
    method: 'POST',
    path: '/report/other',
    type: form,
    body: repeated(200, (i) => `${i}=${'%41'.repeat(860)}`, '&'),
  },
  {
    what: 'A form of one text of 512 KiB',
    method: 'POST',
    path: '/report/other',
    type: form,
    body: `explanation=${'%26'.repeat(170_000)}`,
  },
  {
    what: 'A form of 170,000 addresses',
    method: 'POST',
    path: '/report/child-safety',
    type: form,
    body: `itemUrls=${repeated(130_000, (i) => i.toString(36).slice(-2), '%0A').slice(0, 512 * 1024 - 20)}`,
  },
  {
    what: 'A form of addresses without line breaks',
    method: 'POST',
    path: '/report/child-safety',
    type: form,
    body: `itemUrls=${repeated(40_000, () => '/western/a', '+').slice(0, 512 * 1024 - 20)}`,
  },
  {
    what: 'An explanation full of addresses',
    method: 'POST',
    path: '/report/child-safety',
    type: form,
    body: `explanation=${repeated(40_000, (i) => `/western/${i}`, '+').slice(0, 512 * 1024 - 20)}`,
  },
  {
    what: 'A query of 16 KB',
    method: 'GET',
    path: `/universal-search/search?${repeated(3_900, (i) => i.toString(36), '&').slice(0, 15_500)}`,
  },
  {
    what: 'A page with a query of 16 KB',
    method: 'GET',
    path: `/asian?${repeated(3_900, (i) => i.toString(36), '&').slice(0, 15_500)}`,
  },
  {
    what: 'A JSON body of 90,000 members',
    method: 'POST',
    path: '/links/report',
    type: 'application/json',
    body: `{${repeated(90_000, (i) => `"${i}":1`, ',')}}`,
  },
  {
    what: 'A header of 589 kB',
    method: 'POST',
    path: '/api/imports?name=header.csv',
    type: 'text/csv',
    body: `${repeated(100_000, (i) => `${i}`, ',').slice(0, 588_900)}\n`,
  },
  {
    what: 'A header of few columns with long names',
    method: 'POST',
    path: '/api/imports?name=header.csv',
    type: 'text/csv',
    body: `name,${repeated(10, (i) => `${i}${'x'.repeat(58_000)}`, ',')}\n`,
  },
  {
    what: 'A header of 200 columns',
    method: 'POST',
    path: '/api/imports?name=header.csv',
    type: 'text/csv',
    body: `${repeated(200, (i) => `${i}${'x'.repeat(50)}`, ',')}\n`,
  },
  {
    what: "A members' header of 589 kB",
    method: 'POST',
    path: '/api/member-imports?name=header.csv',
    type: 'text/csv',
    body: `${repeated(100_000, (i) => `${i}`, ',').slice(0, 588_900)}\n`,
  },
]

/** P26: the worst requests that the limits allow, and such as they refuse. Each is sent alone, so its longest piece is its own. */
export async function measureWorst(rounds: number): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('10k')
  const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'))
  const probed = join(directory, 'longest')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const token = await fillAdministration((text, values) => client.query(text, values), 100)
    const served = await startDaybook({
      DATABASE_URL: address,
      TRUSTED_PROXIES: '127.0.0.1/32',
      PROBE_FILE: probed,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'main-thread-probe.ts')).href}`,
    })
    try {
      const findings: Finding[] = []
      const longest = (): Promise<number> => longestPiece(served, probed)
      const quiet = await leastOf(rounds, async () => {
        await sleep(300)
        return longest()
      })
      for (const each of worst) {
        const statuses = new Set<number>()
        // The first of each compiles.
        await send(served.port, token, each)
        const took = await leastOf(rounds, async () => {
          await longest()
          statuses.add(await send(served.port, token, each))
          return longest()
        })
        findings.push({
          id: 'P26',
          what: `${each.what} (${[...statuses].join(', ')})`,
          goal: `at most ${longestPieceMs} ms of the main thread in one piece`,
          measured: `${ms(took)}, ${times(took / quiet)} quiet`,
          isMet: took <= longestPieceMs,
        })
      }
      return findings
    } finally {
      await served.stop()
    }
  } finally {
    await client.end()
    await rm(directory, { recursive: true })
    await drop()
  }
}

/** Others on the machine only add to it. */
async function leastOf(rounds: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, await measure())
  return least
}

/** The longest task of the server's main thread since the last call, in milliseconds. */
async function longestPiece({ pid }: Served, probed: string): Promise<number> {
  await rm(probed, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    const text = await readFile(probed, 'utf8').catch(() => undefined)
    if (text !== undefined) return Number(text)
    await sleep(2)
  }
}

/** Each comes from another address: limits of an address are not what is measured. */
let senders = 0

function send(port: number, token: string, { method, path, type, body }: WorstRequest): Promise<number> {
  senders += 1
  const headers = {
    ...clientKey,
    'x-forwarded-for': `203.0.${senders >> 8}.${senders & 255}`,
    ...(path.startsWith('/api/') ? { authorization: `Bearer ${token}` } : {}),
    ...(type === undefined ? {} : { 'content-type': type }),
  }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
