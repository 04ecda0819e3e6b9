import { DirectoryLockedError } from '../../db/embedded/directory-lock.ts'
import { databaseInWords, OtherDatabaseError, refuseOtherDatabase } from '../../db/last-database.ts'
import { doneMigrations, isOfNextVersion } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import type { OpenDatabase } from '../../db/open-database.ts'
import { isNewDatabase, openDatabase } from '../../db/open.ts'
import { findTooManyRights, roleOf } from '../../db/postgres/grant-rights.ts'
import { compareStandby } from '../../db/postgres/replica.ts'
import { readIdentity, readServer } from '../../db/postgres/read-server.ts'
import { DatabaseUnreachableError } from '../../db/postgres/start.ts'
import type { PlatformConfig } from '../config/platform-config.ts'
import { counted } from '../counted.ts'
import { CommandOutages } from '../database-outages.ts'
import type { Clock } from '../time/clock.ts'
import { type DoctorCheck, type Finding, good, problem, sentenceOf, warning } from './doctor-check.ts'

/** Clocks that differ by more are reported, and by so much more are wrong: sessions and signatures end by them. */
const clockWarningMs = 5_000
const clockProblemMs = 60_000

/** How long the replica is watched until it has caught up. */
const replicaPatienceMs = 3_000

/** Yet to be made, held by another process, or out of reach. */
export type WhyClosed = 'new' | 'held' | 'closed'

/**
 * Opens the database of the settings, and names it on the error output. The caller closes it.
 * @param insists whether it is opened also where the server last used another one
 * @returns the finding alone where it cannot be opened, or is yet to be made
 */
export async function openExamined(
  config: PlatformConfig,
  insists: boolean,
): Promise<{ database: OpenDatabase } | { finding: Finding; why: WhyClosed }> {
  try {
    if (!insists) await refuseOtherDatabase(config)
    if (isNewDatabase(config)) {
      const finding = good('there is none in the data directory yet: the first start makes it.')
      return { finding, why: 'new' }
    }
    const database = await openDatabase(config, { reports: new CommandOutages() })
    process.stderr.write(`Opened: ${databaseInWords(config)}.\n`)
    return { database }
  } catch (error) {
    return { finding: whyClosed(error), why: error instanceof DirectoryLockedError ? 'held' : 'closed' }
  }
}

function whyClosed(error: unknown): Finding {
  if (error instanceof OtherDatabaseError) return problem(error.sentence, error.advice)
  if (error instanceof DirectoryLockedError) {
    return warning('the server is running and holds it.', 'Stop the server, and run this again, to have it looked at.')
  }
  if (error instanceof DatabaseUnreachableError)
    return problem(error.message, `Correct ${error.setting}, or start PostgreSQL.`)
  return problem(sentenceOf(error), 'Restore the last backup where this does not end: docs/operating.md#backups')
}

interface Examined {
  config: PlatformConfig
  database: OpenDatabase
  clock: Clock
}

/** Those of a PostgreSQL, which has a server, a clock and roles. */
export const serverChecks: readonly DoctorCheck<Examined>[] = [
  { about: 'Database', examine: examineServer },
  { about: 'Replica', examine: examineReplica },
  { about: 'Clock', examine: examineClock },
  { about: 'Database roles', examine: examineRoles },
]

async function* examineServer({ database }: Examined): AsyncGenerator<Finding> {
  const { version } = await readServer(database.maintenanceDb)
  yield good(`PostgreSQL ${version} answers.`)
  const [site, direct] = [await readIdentity(database.db), await readIdentity(database.maintenanceDb)]
  if (site !== direct)
    yield problem(
      `DATABASE_DIRECT_URL leads to ${direct}, DATABASE_URL to ${site}.`,
      'Both have to name one database and one role: docs/operating.md#pgbouncer',
    )
}

async function* examineReplica({ config, database }: Examined): AsyncGenerator<Finding> {
  const { replicaDatabaseUrl: databaseUrl, dataDir } = config
  if (databaseUrl === undefined) return
  const guide = 'Until then DATABASE_URL answers in its place: docs/operating.md#replica'
  let replica: OpenDatabase
  try {
    replica = await openDatabase({ databaseUrl, dataDir })
  } catch (error) {
    yield warning(sentenceOf(error).replace('DATABASE_URL', 'DATABASE_REPLICA_URL'), guide)
    return
  }
  try {
    const began = performance.now()
    const compare = () => compareStandby(database.db, replica.db)
    const { isStandby, isSamePlace, ...first } = await compare()
    if (!isSamePlace) {
      yield problem('DATABASE_REPLICA_URL leads to another database than DATABASE_URL.', guide)
      return
    }
    if (!isStandby) {
      yield warning('DATABASE_REPLICA_URL leads to a server that is no standby.', guide)
      return
    }
    let { bytesBehind } = first
    while (bytesBehind > 0 && performance.now() - began < replicaPatienceMs) {
      await new Promise((wake) => setTimeout(wake, 50))
      ;({ bytesBehind } = await compare())
    }
    yield bytesBehind > 0
      ? warning(`it is ${bytesBehind} bytes behind.`, guide)
      : good(`the standby follows; it was up to date within ${Math.ceil(performance.now() - began)} ms.`)
  } finally {
    await replica.close()
  }
}

async function* examineClock({ database, clock }: Examined): AsyncGenerator<Finding> {
  const server = await readServer(database.maintenanceDb)
  const apartMs = Math.abs(server.now - clock.now())
  if (apartMs < clockWarningMs) {
    yield good('it agrees with that of PostgreSQL.')
    return
  }
  const sentence = `it differs by ${Math.round(apartMs / 1_000)} s from that of PostgreSQL.`
  const advice = 'Set both machines by NTP: sessions, links and signatures end by these clocks.'
  yield apartMs < clockProblemMs ? warning(sentence, advice) : problem(sentence, advice)
}

async function* examineRoles({ config, database }: Examined): AsyncGenerator<Finding> {
  const { migrationDatabaseUrl, dataDir, isPublic } = config
  const guide = 'docs/operating.md#database-roles says how to make two roles.'
  if (migrationDatabaseUrl === undefined) {
    const sentence = 'the role of DATABASE_URL owns the schema and the audit log.'
    yield isPublic ? warning(sentence, guide) : good(sentence)
    return
  }
  let owner: OpenDatabase
  try {
    owner = await openDatabase({ databaseUrl: migrationDatabaseUrl, dataDir })
  } catch (error) {
    const sentence = sentenceOf(error).replace('DATABASE_URL', 'MIGRATION_DATABASE_URL')
    yield problem(sentence, 'Correct MIGRATION_DATABASE_URL.')
    return
  }
  try {
    const [runs, migrates] = [await roleOf(database.maintenanceDb), await roleOf(owner.maintenanceDb)]
    if (runs === migrates) {
      yield problem(`both addresses name the role ${runs}.`, guide)
      return
    }
    const excess = await findTooManyRights(database.maintenanceDb).catch((error: unknown) => {
      // Before the first start there are no tables.
      if ((error as { code?: unknown }).code === '42P01') return undefined
      throw error
    })
    yield excess === undefined
      ? good(`${migrates} migrates; ${runs} runs the site, and changes rows alone.`)
      : warning(`${runs} can change more than rows: ${excess}.`, guide)
  } finally {
    await owner.close()
  }
}

/** Whether the schema is that of this version, and the finding about it. */
export async function examineSchema({
  maintenanceDb,
}: OpenDatabase): Promise<{ finding: Finding; isCurrent: boolean }> {
  const done = await doneMigrations(maintenanceDb)
  const known = Object.keys(migrations)
  const newer = done.filter((name) => !known.includes(name))
  if (newer.length > 0 && (await isOfNextVersion(maintenanceDb)))
    return { finding: good('it is that of the next version, with which this one goes on.'), isCurrent: true }
  if (newer.length > 0) {
    const finding = problem(
      `a newer version has migrated it (${newer.join(', ')}).`,
      'Run that version: migrations only go up. A backup from before is the only way back.',
    )
    return { finding, isCurrent: false }
  }
  const waiting = known.length - done.length
  if (waiting === 0) return { finding: good('it is that of this version.'), isCurrent: true }
  const finding =
    done.length === 0
      ? good('it is empty: the first start makes it.')
      : warning(
          `${counted(waiting, 'migration')} wait for the next start.`,
          'Make a backup before: migrations only go up.',
        )
  return { finding, isCurrent: false }
}
