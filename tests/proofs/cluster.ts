import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openSandbox } from '../../sandbox/sandbox.ts'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/open-app.ts'
import { openLog } from '../../src/platform/log.ts'
import { type Cluster, openCluster } from '../cluster/cluster.ts'
import { findLost, prepareTraffic, startTraffic, type Traffic } from '../cluster/traffic.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'

/*
 * Two instances on a cluster of PostgreSQL, whose primary is killed, frozen and cut off under traffic: which of the
 * acknowledged writes are lost, and how long it takes (docs/operating.md#failover).
 */

const allFaults = ['killPrimary', 'freezePrimary', 'isolatePrimary'] as const satisfies readonly (keyof Cluster)[]
const words = { killPrimary: 'killed', freezePrimary: 'frozen', isolatePrimary: 'cut off from the network' }

/** Words of the command line name the faults to try; without any, all are tried. */
const named = process.argv.slice(2)
const faults = allFaults.filter((fault) => named.length === 0 || named.includes(fault))

/** The traffic before a fault, and how long the primary stays away. */
const calmMs = 10_000
const awayMs = 45_000

interface Outcome {
  fault: string
  acknowledged: number
  lost: Record<string, number>
  /** The longest time without an acknowledged write of some kind. */
  standstillSeconds: number
  /** Until every kind of write was acknowledged again. */
  allAgainSeconds: number
  /** The longest that an instance showed what was deleted. */
  seenSeconds: number
}

const secrets = {
  STRIPE_SECRET_KEY: 'sk_test_ofTheCluster',
  STRIPE_WEBHOOK_SECRET: 'whsec_ofTheCluster',
  STRIPE_PRICE_MONTHLY: 'price_cluster_monthly',
  STRIPE_PRICE_ANNUAL: 'price_cluster_annual',
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-instances-'))
  const cluster = await openCluster()
  const sandbox = await openSandbox({
    secretKey: secrets.STRIPE_SECRET_KEY,
    webhookSecret: secrets.STRIPE_WEBHOOK_SECRET,
    prices: { monthly: secrets.STRIPE_PRICE_MONTHLY, annual: secrets.STRIPE_PRICE_ANNUAL },
  })
  const instances: Started[] = []
  const environment = (name: string) => ({
    DEMO: '0',
    PORT: '0',
    DATA_DIR: join(folder, name),
    DATABASE_URL: `${cluster.url}/postgres`,
    TRUSTED_PROXIES: '127.0.0.1/32',
    REQUIRE_ADMIN_SECOND_FACTOR: '0',
    LINK_CHECKS: 'off',
    STRIPE_API_BASE: sandbox.url,
    ...secrets,
  })
  try {
    await cluster.isWhole()
    const { app, close } = await openApp(
      readConfig({ ...environment('preparing'), LOG_LEVEL: 'error' }),
      openLog('error', { write: () => true }),
      { hasClockwork: false },
    )
    const { administrator, ...work } = await prepareTraffic(app)
    for (const name of ['a', 'b'])
      instances.push(startDaybook([], { NODE_ENV: 'production', ...environment(name), LOG_LEVEL: 'warn' }))
    const addresses = await Promise.all(instances.map(addressOf))
    sandbox.setWebhookUrl(`${addresses[0]}/webhooks/stripe`)
    const outcomes: Outcome[] = []
    for (const fault of faults) {
      await cluster.isWhole()
      const traffic = await startTraffic({ addresses, sandbox, administrator }, work)
      const outcome = await strike(cluster, fault, traffic)
      await traffic.stop()
      outcomes.push({ ...outcome, lost: await findLost(app, traffic.ledger) })
      process.stdout.write(`${JSON.stringify(outcomes.at(-1))}\n`)
    }
    await close()
    const ended = instances.filter(({ child }) => child.exitCode !== null).length
    process.stdout.write(`${tableOf(outcomes)}\n${ended} instances ended.\n`)
    process.exitCode = ended === 0 && outcomes.every(holds) ? 0 : 1
  } finally {
    await Promise.all(instances.map(kill))
    await sandbox.close()
    await cluster.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function strike(
  cluster: Cluster,
  fault: (typeof allFaults)[number],
  traffic: Traffic,
): Promise<Omit<Outcome, 'lost'>> {
  await wait(calmMs)
  const at = performance.now()
  const bringBack = await cluster[fault]()
  await wait(awayMs)
  await bringBack()
  await cluster.isWhole()
  await wait(calmMs)
  const { writes, deleted } = traffic.ledger
  const pauses = [...writes.values()].map((instants) => longestPause(instants, at))
  return {
    fault: words[fault],
    acknowledged: [...writes.values()].flat().length,
    standstillSeconds: Math.max(...pauses.map(({ seconds }) => seconds)),
    allAgainSeconds: Math.max(...pauses.map(({ endsAfter }) => endsAfter)),
    seenSeconds: Math.max(0, ...deleted.map(({ seenForMs }) => seenForMs)) / 1_000,
  }
}

/** The longest time between two writes of a kind that ends after an instant, and how long after it that is, in seconds. */
function longestPause(instants: readonly number[], after: number): { seconds: number; endsAfter: number } {
  const pauses = instants.flatMap((end, place) => {
    const begin = instants[place - 1]
    return begin === undefined || end < after
      ? []
      : [{ seconds: (end - begin) / 1_000, endsAfter: (end - after) / 1_000 }]
  })
  const [first = { seconds: Infinity, endsAfter: Infinity }, ...others] = pauses
  return others.reduce((longest, one) => (one.seconds > longest.seconds ? one : longest), first)
}

function holds({ lost, allAgainSeconds, seenSeconds }: Outcome): boolean {
  return Object.values(lost).every((count) => count === 0) && allAgainSeconds <= 30 && seenSeconds <= 60
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(
    ({ fault, acknowledged, lost, standstillSeconds, allAgainSeconds, seenSeconds }) =>
      `| ${fault} | ${acknowledged} | ${Object.values(lost).reduce((sum, count) => sum + count, 0)} | ${standstillSeconds.toFixed(1)} | ${allAgainSeconds.toFixed(1)} | ${seenSeconds.toFixed(1)} |`,
  )
  return [
    '| The primary is … | Acknowledged | Lost | Seconds without a write of some kind | Seconds until all writes again | Deleted shown for, seconds |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

await main()
