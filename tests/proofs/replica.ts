import { execFile, spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { accountOfPostgres, binaries, until } from '../cluster/cluster.ts'
import { administratorHeaders, callWell } from '../harness/callers.ts'
import { freePort } from '../harness/free-port.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'
import { decode } from '../harness/request.ts'

/*
 * Two instances on a primary and a streaming standby (docs/operating.md#replica): an administrator who edits on one finds the
 * edit in the list of the other at once, whether the standby follows, stands still or is away.
 */

const run = promisify(execFile)
const email = 'desk@library.example'
const password = 'a quiet reading room'
const metricsToken = 'a-token-of-the-proof'
const turns = 40
const category = 'Novels'

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-replica-'))
  const owner = await accountOfPostgres()
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid)
  const tool = (name: string, ...args: string[]) =>
    run(join(binaries().bin_dir ?? '', name), args, { cwd: folder, ...owner })
  const [data, standbyData] = [join(folder, 'primary'), join(folder, 'standby')]
  const [port, standbyPort] = [await freePort(), await freePort()]
  const optionsFor = (each: number): string =>
    `-c port=${each} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
  const start = (at: string, each: number) =>
    tool('pg_ctl', '-w', '-D', at, '-l', `${at}.log`, '-o', optionsFor(each), 'start')
  const stop = (at: string) => tool('pg_ctl', '-w', '-m', 'immediate', '-D', at, 'stop').catch(() => {})
  const redisPort = await freePort()
  const redis = spawn('redis-server', ['--port', String(redisPort), '--save', '', '--dir', folder], { stdio: 'ignore' })
  const instances: Started[] = []
  try {
    await tool('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8')
    await start(data, port)
    const server = `postgresql://postgres@127.0.0.1:${port}/postgres`
    const standbyServer = `postgresql://postgres@127.0.0.1:${standbyPort}/postgres`
    await onServer(server, 'create database library')
    await tool('pg_basebackup', '-D', standbyData, '-R', '-c', 'fast', '-d', server)
    await start(standbyData, standbyPort)
    for (const name of ['a', 'b']) {
      instances.push(
        startDaybook([], {
          NODE_ENV: 'production',
          DEMO: '0',
          PAYMENTS: 'off',
          PORT: '0',
          DATABASE_URL: databaseUrl(server, 'library'),
          DATABASE_REPLICA_URL: databaseUrl(standbyServer, 'library'),
          REDIS_URL: `redis://127.0.0.1:${redisPort}`,
          DATA_DIR: join(folder, name),
          TRUSTED_PROXIES: '127.0.0.1/32',
          ADMIN_EMAIL: email,
          ADMIN_PASSWORD: password,
          REQUIRE_ADMIN_SECOND_FACTOR: '0',
          METRICS_TOKEN: metricsToken,
          LINK_CHECKS: 'off',
          LOG_LEVEL: 'warn',
        }),
      )
      await addressOf(instances.at(-1) as Started)
    }
    const addresses = await Promise.all(instances.map(addressOf))
    const headers = await administratorHeaders(addresses[0] as string, { email, password })
    await callWell(`${addresses[0]}/api/categories`, { headers, body: { name: category } })
    const phases: Record<string, () => Promise<unknown>> = {
      follows: async () => {},
      'stands still': () => onServer(standbyServer, 'select pg_wal_replay_pause()'),
      'follows again': () => onServer(standbyServer, 'select pg_wal_replay_resume()'),
      'is away': () => stop(standbyData),
      'is back': () => start(standbyData, standbyPort),
    }
    for (const [phase, begin] of Object.entries(phases)) {
      await begin()
      if (phase === 'is back' || phase === 'follows again') await followsAgain(addresses, headers)
      const earlier = await readsOf(addresses)
      const { stale, longestMs } = await editAndLook(addresses, headers, phase.replaceAll(' ', '-'))
      const later = await readsOf(addresses)
      const reads = Object.fromEntries(
        Object.entries(later).map(([name, count]) => [name, count - (earlier[name] ?? 0)]),
      )
      process.stdout.write(`${JSON.stringify({ standby: phase, edits: turns, stale, longestMs, reads })}\n`)
      const isFollowing = !['stands still', 'is away'].includes(phase)
      if (stale > 0 || (isFollowing ? (reads['replica'] ?? 0) < turns : reads['replica'] !== 0)) process.exitCode = 1
    }
  } finally {
    await Promise.all(instances.map(kill))
    redis.kill()
    await stop(standbyData)
    await stop(data)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Adds an entry by one instance after the other, and looks for each in the list of the other one. */
async function editAndLook(addresses: readonly string[], headers: Headers, phase: string) {
  let stale = 0
  let longestMs = 0
  for (let turn = 0; turn < turns; turn += 1) {
    const [one, other] = turn % 2 === 0 ? addresses : addresses.toReversed()
    const name = `${phase}-${turn}`
    await callWell(`${one}/westerncontent`, { headers, body: { name, link: `https://example.org/${name}`, category } })
    const began = performance.now()
    const list = await callWell(`${other}/allcontent?search=${name}`, { headers })
    longestMs = Math.max(longestMs, Math.round(performance.now() - began))
    const { data } = (await list.json()) as { data: string }
    if (!JSON.stringify(decode(data)).includes(`"${name}"`)) stale += 1
  }
  return { stale, longestMs }
}

/** Waits until the standby answers again, which each instance notices by itself. */
async function followsAgain(addresses: readonly string[], headers: Headers): Promise<void> {
  for (const address of addresses) {
    const { replica = 0 } = await readsOf([address])
    await until(async () => {
      await callWell(`${address}/allcontent`, { headers })
      return ((await readsOf([address]))['replica'] ?? 0) > replica
    }, 'the standby answers')
  }
}

/** The reads of all instances by who answered them, as /metrics has them. */
async function readsOf(addresses: readonly string[]): Promise<Record<string, number>> {
  const reads: Record<string, number> = {}
  for (const address of addresses) {
    const metrics = await callWell(`${address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
    for (const [, outcome = '', value] of (await metrics.text()).matchAll(
      /^daybook_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm,
    ))
      reads[outcome] = (reads[outcome] ?? 0) + Number(value)
  }
  return reads
}

type Headers = Record<string, string>

await main()
