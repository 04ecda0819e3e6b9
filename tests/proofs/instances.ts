import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { App } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/open-app.ts'
import { openLog } from '../../src/platform/log.ts'
import { until } from '../cluster/cluster.ts'
import { administratorHeaders, call, Callers, removeBy } from '../harness/callers.ts'
import { someItems } from '../harness/items.ts'
import { freePort } from '../harness/free-port.ts'
import { startNginx } from '../harness/nginx.ts'
import { aNotice } from '../harness/notices.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'
import { decode } from '../harness/request.ts'

/*
 * Two and three instances on one PostgreSQL and one Redis behind nginx (docs/operating.md#several-instances): started at once
 * they make one administrator, no request fails while each is restarted in turn, and a removal on one is gone from the others.
 */

const rounds = 2
const callers = 8
const login = { email: 'desk@library.example', password: 'a quiet reading room' }
/** The documents in which strangers find an entry. */
const documents = [
  '/western',
  '/western?search=sings',
  '/western/canary',
  '/westerncontent/canary',
  '/universal-search/search?search=sings',
  '/sitemap.xml?part=1',
  ...['all', 'western'].flatMap((list) => [`/feeds/${list}.rss`, `/feeds/${list}.json`]),
  '/opds/entries',
  '/opds/v2/entries',
  '/opds/v2/entries/canary',
]

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
    /** The same past a PgBouncer that `server` leads to. */
    direct: { type: 'string' },
  },
})

const direct = options.direct ?? options.server

interface Site {
  folder: string
  /** The address of nginx, and those of the instances. */
  front: string
  ports: number[]
  environment: Record<string, string>
  running: Map<number, Started>
}

for (const count of [2, 3]) {
  const outcome = await prove(count)
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
  const holds =
    outcome.administrators === 1 &&
    outcome.failed.length === 0 &&
    outcome.requests > 100 * count &&
    outcome.removedWithinSeconds <= 60
  if (!holds) process.exitCode = 1
}

async function prove(count: number) {
  const database = `daybook_instances_${process.pid}_${count}`
  const folder = await mkdtemp(join(tmpdir(), 'daybook-instances-'))
  const port = await freePort()
  const redisPort = await freePort()
  const environment = {
    DEMO: '0',
    PAYMENTS: 'off',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl(options.server, database),
    ...(options.direct === undefined ? {} : { DATABASE_DIRECT_URL: databaseUrl(options.direct, database) }),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUSTED_PROXIES: '127.0.0.1/32',
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    REQUIRE_ADMIN_SECOND_FACTOR: '0',
    LINK_CHECKS: 'off',
    LOG_LEVEL: 'warn',
  }
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  const site: Site = { folder, front: environment.PUBLIC_URL, ports, environment, running: new Map() }
  await onServer(direct, `create database ${database}`)
  // Its own: limits of an earlier run would count.
  const redis = spawn('redis-server', ['--port', String(redisPort), '--save', '', '--dir', folder], { stdio: 'ignore' })
  const nginx = await startNginx(port, ports)
  try {
    await Promise.all(ports.map((one) => start(site, one)))
    const administrators = await onServer(environment.DATABASE_URL, 'select 1 from users where is_admin')
    const { app, close } = await openApp(
      readConfig({ ...environment, PORT: '0', DATA_DIR: join(folder, 'preparing'), LOG_LEVEL: 'error' }),
      openLog('error', { write: () => true }),
      { hasClockwork: false },
    )
    try {
      const { requests, failed, writes } = await restartUnderLoad(site, app)
      const removedWithinSeconds = await removeOnOne(site, app)
      return { instances: count, administrators: administrators.length, requests, writes, failed, removedWithinSeconds }
    } finally {
      await close()
    }
  } finally {
    await Promise.all([...site.running.values()].map(kill))
    redis.kill()
    await nginx.close()
    await onServer(direct, `drop database ${database} with (force)`)
    await rm(folder, { recursive: true, force: true })
  }
}

async function start({ folder, environment, running }: Site, port: number): Promise<void> {
  const started = startDaybook([], {
    NODE_ENV: 'production',
    ...environment,
    PORT: String(port),
    DATA_DIR: join(folder, `data-${port}`),
  })
  running.set(port, started)
  await addressOf(started)
}

/** Reads, signs up, signs in and edits by nginx, while every instance is stopped and started again, one after the other. */
async function restartUnderLoad(site: Site, app: App) {
  const items = await someItems(
    app,
    Array.from({ length: callers }, (_, at) => ({ name: `Edit 0 of ${at}`, slug: `edited-${at}` })),
  )
  const calling = new Callers(site.front, items, await administratorHeaders(site.front, login), login.password)
  const { counted } = calling
  for (let round = 0; round < rounds; round += 1) {
    for (const port of site.ports) {
      await wait(1_000)
      const running = site.running.get(port)
      running?.child.kill('SIGTERM')
      const end = await running?.ended
      if (end !== 0) counted.failed.push(`An instance ended with ${end}.`)
      await start(site, port)
    }
  }
  await wait(1_000)
  await calling.stop()
  return counted
}

/** @returns how long the other instances showed what a decision on the first one had removed, in seconds */
async function removeOnOne({ front, ports }: Site, app: App): Promise<number> {
  const [first = '', ...others] = ports.map((port) => `http://127.0.0.1:${port}`)
  await someItems(app, [{ name: 'Canary sings', slug: 'canary' }])
  const { reference } = await aNotice(app, { urls: ['canary'] })
  const shows = async (address: string): Promise<boolean> => {
    const answer = await call(address)
    const text = await answer.text()
    const isEncoded = text.startsWith('{') && typeof (JSON.parse(text) as { data?: unknown }).data === 'string'
    const read = isEncoded ? JSON.stringify(decode((JSON.parse(text) as { data: string }).data)) : text
    return answer.status === 200 && read.includes('canary')
  }
  const addresses = others.flatMap((other) => documents.map((path) => other + path))
  // Twice: the second answer may be one that is kept.
  for (let times = 0; times < 2; times += 1)
    for (const address of addresses) await until(() => shows(address), `${address} has the entry`)
  await removeBy(first, await administratorHeaders(front, login), reference)
  const began = performance.now()
  const seen = await Promise.all(
    addresses.map(async (address) => {
      while (performance.now() - began < 120_000 && (await shows(address))) await wait(50)
      return performance.now() - began
    }),
  )
  return Number((Math.max(...seen) / 1_000).toFixed(1))
}
