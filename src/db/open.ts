import type { DatabaseCall } from './call.ts'
import { hasEmbedded } from './embedded/has-embedded.ts'
import { noReports, type OpenDatabase, type OutageReports } from './open-database.ts'
import { openPostgres } from './postgres/postgres.ts'

export interface DatabaseLocation {
  databaseUrl: string | undefined
  /** The same database past a pooler, for what needs a session of its own. */
  directDatabaseUrl?: string | undefined
  /** A standby of it that follows by streaming. */
  replicaDatabaseUrl?: string | undefined
  dataDir: string
  /** Whether the embedded engine waits for the disk at each commit; without a word it does. */
  embeddedSync?: boolean
}

export interface OpenOptions {
  /** Receives the outages of PostgreSQL. */
  reports?: OutageReports
  /** How long a PostgreSQL that is not there yet is waited for. */
  waitMs?: number
  /** The call of the site that the work at hand belongs to; undefined for a job or a command. */
  callOf?: () => DatabaseCall | undefined
}

/**
 * Opens PostgreSQL where an address is given, otherwise the embedded PostgreSQL in the data directory.
 * @throws {DirectoryLockedError} when another process holds the data directory
 * @throws {DatabaseUnreachableError} when PostgreSQL cannot be used as the settings say
 */
export async function openDatabase(
  {
    databaseUrl,
    directDatabaseUrl: direct,
    replicaDatabaseUrl: replica,
    dataDir,
    embeddedSync: sync = true,
  }: DatabaseLocation,
  { reports = noReports, waitMs = 0, callOf = () => undefined }: OpenOptions = {},
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, { direct, replica, reports, waitMs, callOf })
  // The engine is loaded where it is used.
  const { openEmbedded } = await import('./embedded/embedded.ts')
  return openEmbedded(dataDir, { sync })
}

/** Whether opening makes a database in the data directory. */
export function isNewDatabase({ databaseUrl, dataDir }: DatabaseLocation): boolean {
  return databaseUrl === undefined && !hasEmbedded(dataDir)
}
