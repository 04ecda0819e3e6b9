import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { signInKeeper } from '../../bench/administration-data.ts'
import type { Size } from '../../bench/generate-catalogue.ts'
import { clientKey, compressed, load, post, quantile, request } from '../../bench/load.ts'
import { residentMegabytes } from '../../bench/processes.ts'
import { mixOfQueries, pathOf } from '../../bench/questions.ts'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/open-app.ts'
import { accountMails } from '../../src/features/accounts/account-mails.ts'
import { openLog } from '../../src/platform/log.ts'
import { until } from '../cluster/cluster.ts'
import { headersOf } from '../harness/callers.ts'
import { freePort } from '../harness/free-port.ts'
import { openPostOffice, type PostOffice } from '../harness/post-office.ts'
import { addressOf, kill, type Started, startProgram } from '../harness/processes.ts'

/*
 * The load that a machine carries (docs/operating.md#sizing): the site and a PostgreSQL of its own are bound to some of the
 * processors, the client has all of them. Run it on a machine that does nothing else.
 */

const { values: options } = parseArgs({
  options: {
    cores: { type: 'string', default: `1,${availableParallelism()}` },
    entries: { type: 'string', default: '10k,100k' },
  },
})
const seconds = 6
const editors = 4
const letters = 1_000
const password = 'a quiet reading room'

const folder = await mkdtemp(join(tmpdir(), 'daybook-sizing-'))
const postgres = await startPostgres(join(folder, 'postgres'))
process.env['BENCH_DATABASE_URL'] = postgres.url
const { preparePostgres, copyPostgres } = await import('../../bench/generate-catalogue.ts')
const { makeMembers } = await import('../../bench/measure-sign-ins.ts')
try {
  for (const size of options.entries.split(',') as Size[]) {
    await preparePostgres(size)
    for (const cores of options.cores.split(',').map(Number)) {
      const row = await measure(size, cores)
      process.stdout.write(`${JSON.stringify({ entries: size, cores, ...row })}\n`)
    }
  }
} finally {
  await kill(postgres.process)
  await rm(folder, { recursive: true, force: true })
}

async function measure(size: Size, cores: number): Promise<Record<string, number>> {
  const processors = `0-${cores - 1}`
  const { address: databaseUrl, drop } = await copyPostgres(size)
  // Connections that are opened from now on are bound as well.
  execFileSync('taskset', ['-a', '-c', '-p', processors, String(postgres.process.child.pid)], { stdio: 'ignore' })
  const dataDir = await mkdtemp(join(folder, 'site-'))
  const office = await openPostOffice()
  const environment = {
    NODE_ENV: 'production',
    DEMO: '0',
    PORT: '0',
    LOG_LEVEL: 'error',
    PAYMENTS: 'off',
    LINK_CHECKS: 'off',
    TRUSTED_PROXIES: '127.0.0.1/32',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SMTP_URL: office.url,
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let site: Started | undefined
  try {
    const emails = await makeMembers(databaseUrl, 5_000)
    const token = await signInKeeper((text, values) => client.query(text, values))
    site = startProgram(
      ['taskset', '-c', processors, 'node_modules/node/bin/node', 'build/server/daybook.js'],
      environment,
      { input: '' },
    )
    const address = await addressOf(site)
    const port = Number(new URL(address).port)
    const headers = { ...clientKey, ...compressed }
    await load(port, [request(pathOf({ contentType: 'asian' }), headers)], { count: 20 })
    const lists = mixOfQueries().map((query) => request(pathOf(query), headers))
    await load(port, lists, { count: 2 * lists.length })
    const kept = await load(port, lists, { seconds })
    const { rows: items } = await client.query<{ id: string; slug: string; version: number }>(
      `select id, slug, version from items where status = 'published' and content_type = 'western' and post_date < now() order by no limit 4000`,
    )
    const pages = items.map(({ slug }) => request(`/western/${slug}`, compressed))
    const unread = await load(port, pages, { count: pages.length })
    const signIns = await load(
      port,
      emails.map((email, at) =>
        post('/auth/login', { email, password }, { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}`, ...clientKey }),
      ),
      { seconds },
    )
    const edits = await edit(address, token, items)
    const sentInSeconds = await send(environment, office)
    for (const [what, { failures }] of Object.entries({ lists: kept, pages: unread, 'sign-ins': signIns }))
      if (failures > 0) throw new Error(`${failures} ${what} failed.`)
    return {
      lists: Math.round(kept.perSecond),
      listsP99: rounded(kept.p99),
      pages: Math.round(unread.perSecond),
      pagesP99: rounded(unread.p99),
      signIns: Math.round(signIns.perSecond),
      edits: Math.round(edits.perSecond),
      editsP99: rounded(edits.p99),
      letters: Math.round(letters / sentInSeconds),
      megabytes: Math.round(residentMegabytes(site.child.pid as number)),
    }
  } finally {
    if (site !== undefined) await kill(site)
    await client.end()
    await office.close()
    await drop()
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Administrators give entries new descriptions through the interface, each one after the other. */
async function edit(address: string, token: string, items: readonly { id: string; version: number }[]) {
  const headers = { ...(await headersOf(address, token)), 'content-type': 'application/json', ...clientKey }
  const times: number[] = []
  const startedAt = performance.now()
  const editor = async (_: unknown, at: number): Promise<void> => {
    for (let turn = at; performance.now() - startedAt < seconds * 1_000; turn += editors) {
      const { id, version } = items[turn] as { id: string; version: number }
      const began = performance.now()
      const answer = await fetch(`${address}/westerncontent/${id}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ description: `Read ${turn} times.`, version }),
      })
      if (answer.status !== 200) throw new Error(`An edit was refused: ${await answer.text()}`)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: editors }, editor))
  return { perSecond: times.length / seconds, p99: quantile(times, 0.99) }
}

/** @returns the seconds from the first to the last of the letters, which wait already when the site sees them */
async function send(environment: Record<string, string>, office: PostOffice): Promise<number> {
  const { app, close } = await openApp(readConfig(environment), openLog('error'), { hasClockwork: false })
  try {
    const data = Array.from({ length: letters }, (_, at) => ({
      email: `letter-${at}@readers.example`,
      name: 'Jane Reader',
      areBansKept: false,
    }))
    await app.mail.queueMany(app.db, accountMails.deleted, data)
  } finally {
    await close()
  }
  await until(async () => office.taken.length >= letters, 'the letters arrive')
  const [first, last] = [office.taken[0], office.taken.at(-1)]
  return ((last?.at ?? NaN) - (first?.at ?? NaN)) / 1_000
}

/** A PostgreSQL of its own with its usual settings; as root it runs as `postgres`, as it demands. */
async function startPostgres(data: string): Promise<{ process: Started; url: string }> {
  const [version] = readdirSync('/usr/lib/postgresql').sort((one, other) => Number(other) - Number(one))
  const bin = `/usr/lib/postgresql/${version}/bin`
  const isRoot = process.getuid?.() === 0
  const account = (program: string, args: string[]): [string, ...string[]] =>
    isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', program, ...args] : [program, ...args]
  if (isRoot) await chown(folder, Number(execFileSync('id', ['-u', 'postgres'])), 0)
  const [make, ...words] = account(`${bin}/initdb`, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'])
  execFileSync(make, words, { stdio: 'ignore', cwd: '/' })
  const port = await freePort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = startProgram(account(`${bin}/postgres`, ['-D', data, ...args]), {}, { input: '', cwd: '/' })
  await server.said(/(ready) to accept connections/)
  return { process: server, url: `postgresql://postgres@127.0.0.1:${port}` }
}
