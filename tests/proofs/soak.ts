import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { administratorHeaders } from '../harness/callers.ts'
import { anAddress } from '../harness/purchases.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { addressOf, kill, startDaybook } from '../harness/processes.ts'

/*
 * A working day of the demo's library at ten times its speed: whether memory, open files, tables and files stay as they
 * are (docs/operating.md#soak). By default 48 minutes, which is eight hours' worth.
 */

/** The acts of a day of a site with some 20,000 visits. */
const aDay = {
  lists: 60_000,
  searches: 20_000,
  entries: 40_000,
  downloads: 3_000,
  signIns: 1_500,
  registrations: 150,
  saves: 1_000,
  edits: 500,
}
type Act = keyof typeof aDay
const speed = 10
const sampleEveryMs = 5_000
/** These grow with each act that they record. */
const records = [
  'audit_chain',
  'audit_events',
  'download_days',
  'download_events',
  'known_devices',
  'search_misses',
  'sent_emails',
  'sessions',
  'users',
]
/** Enough for none to sign in more often than one account may. */
const readers = 30
const words = ['sea', 'war', 'history of', 'letters', 'poems', 'island', 'tales', 'night', 'garden', 'shakespear']

interface Sample {
  residentMb: number
  descriptors: number
  files: number
  jobRows: number
  /** All tables but the records. */
  tablesMb: number
}

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '48' },
    server: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
  },
})
const serverUrl = options.server
const administrator = 'admin@demo.example'
const password = 'a quiet reading room'
const database = `daybook_soak_${process.pid}`
const folder = await mkdtemp(join(tmpdir(), 'daybook-soak-'))
await onServer(serverUrl, `create database ${database}`)
const site = startDaybook([], {
  NODE_ENV: 'production',
  DEMO: '1',
  PORT: '0',
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl(serverUrl, database),
  TRUSTED_PROXIES: '127.0.0.1/32',
  LINK_CHECKS: 'off',
  LOG_LEVEL: 'warn',
})
const onSite = (statement: string) => onServer(databaseUrl(serverUrl, database), statement)
try {
  await soak(await addressOf(site), Number(options.minutes) * 60_000)
} finally {
  await kill(site)
  await onServer(serverUrl, `drop database ${database} with (force)`)
  await rm(folder, { recursive: true, force: true })
}

async function soak(address: string, ms: number): Promise<void> {
  const logins = JSON.parse(await readFile(join(folder, 'demo-logins.json'), 'utf8')) as Record<string, string>
  const slugs = await readSlugs(address)
  const counts = { done: 0, failed: 0 }
  const end = performance.now() + ms
  const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T
  const call = async (
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<Response> => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        'api-key': 'daybook-web',
        'x-forwarded-for': anAddress(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
    counts.done += 1
    if (answer.status >= 500) counts.failed += 1
    return answer
  }
  const read = async (path: string): Promise<void> => void (await (await call(path)).arrayBuffer())
  const signIn = async (email: string): Promise<string> => {
    const answer = await call('/auth/login', { email, password: logins[email] })
    if (answer.status !== 200) throw new Error(`${email} was refused: ${await answer.text()}`)
    return ((await answer.json()) as { token: string }).token
  }
  const bearerOf = async (email: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await signIn(email)}`,
  })
  const reader = await bearerOf('member@demo.example')
  // Their proof that it is still they holds for an hour.
  const desk = await administratorHeaders(address, {
    email: administrator,
    password: logins[administrator] as string,
  })
  let people = 0
  const register = async (): Promise<void> => {
    const email = `soak-${people + 1}@readers.example`
    const answer = await call('/auth/register', { name: 'Jane', email, password })
    if (answer.status !== 201) throw new Error(`A registration was refused: ${await answer.text()}`)
    logins[email] = password
    people += 1
  }
  for (let at = 0; at < readers; at += 1) await register()
  const acts: Record<Act, () => Promise<void>> = {
    lists: () => read(`/western?page=${1 + Math.floor(Math.random() * 3)}`),
    searches: () => read(`/universal-search/search?search=${encodeURIComponent(pick(words))}`),
    entries: () => read(`/westerncontent/${pick(slugs)}`),
    downloads: () => read(`/go/${pick(slugs)}/link`),
    signIns: async () => void (await signIn(`soak-${1 + Math.floor(Math.random() * people)}@readers.example`)),
    registrations: register,
    async saves() {
      const path = `/account/saved-entries/${pick(slugs)}`
      await (await call(path, {}, reader, 'PUT')).arrayBuffer()
      await (await call(path, undefined, reader, 'DELETE')).arrayBuffer()
    },
    async edits() {
      const [item] = await onSite(`select id, version from items where slug = '${pick(slugs)}'`)
      const { id, version } = item as { id: string; version: number }
      const body = { description: `Read by ${people} people.`, version }
      const answer = await call(`/westerncontent/${id}`, body, desk, 'PUT')
      if (answer.status !== 200) throw new Error(`An edit was refused: ${await answer.text()}`)
    },
  }
  const perMs = (act: Act): number => (aDay[act] * speed) / 86_400_000
  const loops = (Object.keys(acts) as Act[]).map(async (act) => {
    while (performance.now() < end) {
      const began = performance.now()
      await acts[act]().catch((error: unknown) => {
        console.error(`${act}:`, error)
        counts.failed += 1
      })
      await wait(Math.max(0, 1 / perMs(act) - (performance.now() - began)))
    }
  })
  const samples: Sample[] = []
  while (performance.now() < end) {
    await wait(sampleEveryMs)
    samples.push(await sample(site.child.pid as number))
  }
  await Promise.all(loops)
  report(samples, counts)
}

async function readSlugs(address: string): Promise<string[]> {
  const answer = await fetch(`${address}/feeds/western.json`)
  const { items } = (await answer.json()) as { items: { url: string }[] }
  return items.map(({ url }) => url.slice(url.lastIndexOf('/') + 1))
}

async function sample(pid: number): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [jobs] = await onSite('select count(*)::int as count from pgboss.job')
  const [tables] = await onSite(`
    select sum(pg_total_relation_size(relid))::float / 1048576 as megabytes from pg_stat_user_tables
    where relname not in (${records.map((name) => `'${name}'`).join()})`)
  return {
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024,
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    // Emails to new members are files where no mail server is set.
    files: (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('mail')).length,
    jobRows: (jobs as { count: number }).count,
    tablesMb: (tables as { megabytes: number }).megabytes,
  }
}

/** Compares the last quarter with the second: the first one fills caches. */
function report(samples: readonly Sample[], { done, failed }: { done: number; failed: number }): void {
  const quarter = Math.floor(samples.length / 4)
  const middle = (part: readonly Sample[], name: keyof Sample): number =>
    part.map((one) => one[name]).sort((one, other) => one - other)[Math.floor(part.length / 2)] ?? NaN
  const early = samples.slice(quarter, 2 * quarter)
  const late = samples.slice(3 * quarter)
  const bounds: Record<keyof Sample, (early: number) => number> = {
    residentMb: (before) => before * 1.15,
    descriptors: (before) => before + 20,
    files: (before) => before + 50,
    jobRows: (before) => before * 2 + 200,
    tablesMb: (before) => before * 1.15 + 1,
  }
  const lines = (Object.keys(bounds) as (keyof Sample)[]).map((name) => {
    const [before, after] = [middle(early, name), middle(late, name)]
    return { name, before: Math.round(before), after: Math.round(after), isFlat: after <= bounds[name](before) }
  })
  process.stdout.write(
    `${JSON.stringify({ minutes: Number(options.minutes), requests: done, failed, lines }, null, 2)}\n`,
  )
  process.exitCode = failed === 0 && lines.every(({ isFlat }) => isFlat) ? 0 : 1
}
