import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import packageFile from '../package.json' with { type: 'json' }
import { fillAdministration } from './administration-data.ts'
import { timeOf } from './calls.ts'
import { type Finding, ms, times } from './findings.ts'
import { copyPostgres, emptyPostgres } from './generate-catalogue.ts'
import { clientKey, compressed, median, quantile } from './load.ts'
import { ask, type EndedCommand, makeImages, runCommand, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf } from './questions.ts'

const visitors = 4
/** Before and after each backup: some 800 lists, of which 40 are slower than the 95th percentile. */
const quietMs = 5_000
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`

/** P27: backup beside visitors, restore, and the first start of a release. */
export async function measureBackup(members: number, rounds: number): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-bench-backup-'))
  const { address, drop } = await copyPostgres('100k')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    await fillAdministration((text, values) => client.query(text, values), members)
    const file = join(folder, 'daybook.backup')
    const found = await backUpBesideVisitors(address, folder, file, rounds)
    const restore = await restoreFrom(file, folder)
    return [
      ...found,
      {
        id: 'P27',
        what: 'Restore of that backup into an empty database',
        goal: 'at most 60 s',
        measured: `${seconds(restore.ms)}; ${megabytes(restore.peak)}`,
        isMet: restore.ms <= 60_000,
      },
      await startRelease(address, folder),
    ]
  } finally {
    await client.end()
    await drop()
    await rm(folder, { recursive: true })
  }
}

async function backUpBesideVisitors(address: string, folder: string, file: string, rounds: number): Promise<Finding[]> {
  // A site that has run for a while has its image, and does nothing beside.
  await makeImages({ DATABASE_URL: address }, 1)
  const served = await startDaybook({ DATABASE_URL: address })
  const [quiet, beside, backups]: [number[], number[], EndedCommand[]] = [[], [], []]
  try {
    await visitWhile(served.port, () => sleep(3_000))
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(...(await visitWhile(served.port, () => sleep(quietMs))))
      const during = await visitWhile(served.port, async () => {
        backups.push(
          await runCommand(['backup', file, '--force'], { DATABASE_URL: address, DATA_DIR: join(folder, 'data') }),
        )
      })
      beside.push(...during)
      quiet.push(...(await visitWhile(served.port, () => sleep(quietMs))))
    }
  } finally {
    await served.stop()
  }
  const [took, peak] = [median(backups.map((one) => one.ms)), Math.max(...backups.map((one) => one.peak))]
  const [quietly, disturbed] = [quantile(quiet, 0.95), quantile(beside, 0.95)]
  const { size } = await stat(file)
  return [
    {
      id: 'P27',
      what: 'Backup of 100,000 entries and as many members, while visitors read',
      goal: 'at most 30 s, 200 MB',
      measured: `${seconds(took)}; ${megabytes(peak)}; the file has ${megabytes(size)}`,
      isMet: took <= 30_000 && peak <= 200e6,
    },
    {
      id: 'P27',
      what: 'Lists of visitors during the backup',
      goal: 'p95 at most 2 times quiet',
      measured: `p95 ${ms(disturbed)}, quiet ${ms(quietly)}: ${times(disturbed / quietly)}`,
      isMet: disturbed <= 2 * quietly,
    },
  ]
}

/** @returns how long each list took that visitors asked for meanwhile, 20 ms after the last answer, in milliseconds */
async function visitWhile(port: number, work: () => Promise<void>): Promise<number[]> {
  const over = new AbortController()
  const paths = mixOfQueries().map(pathOf)
  const visits: number[] = []
  const visiting = Array.from({ length: visitors }, async (_, first) => {
    for (let turn = first; !over.signal.aborted; turn += visitors) {
      const path = paths[turn % paths.length] as string
      visits.push(
        await timeOf(async () => {
          const { status } = await ask(port, path, { ...clientKey, ...compressed })
          if (status !== 200) throw new Error(`${path} answered ${status}.`)
        }),
      )
      await sleep(20)
    }
  })
  await work().finally(() => over.abort())
  await Promise.all(visiting)
  return visits
}

async function restoreFrom(file: string, folder: string): Promise<EndedCommand> {
  const empty = await emptyPostgres()
  try {
    return await runCommand(['restore', file], { DATABASE_URL: empty.address, DATA_DIR: join(folder, 'restored') })
  } finally {
    await empty.drop()
  }
}

/** The first start of a release, in an empty folder: Node has compiled nothing of it, and there is no image of the catalogue. */
async function startRelease(address: string, folder: string): Promise<Finding> {
  const place = join(folder, 'release')
  const script = join(import.meta.dirname, '../scripts/release.mjs')
  execFileSync(process.execPath, [script, place], { stdio: 'ignore' })
  const name = `daybook-${packageFile.version}`
  const unpacking = await timeOf(async () => {
    execFileSync('tar', ['-xzf', join(place, `${name}.tar.gz`), '-C', folder])
    await readdir(join(folder, name))
  })
  const served = await startDaybook(
    {
      DATABASE_URL: address,
      DATA_DIR: join(folder, 'first'),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    join(folder, name, 'daybook.mjs'),
  )
  await served.stop()
  return {
    id: 'P27',
    what: 'First start of a release from its archive to the first list of 100,000 entries',
    goal: 'at most 3 s',
    measured: `${seconds(served.startMs)}, after ${seconds(unpacking)} of unpacking`,
    isMet: served.startMs <= 3_000,
  }
}
