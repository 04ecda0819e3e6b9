import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { otherUserOf } from './other-user.ts'
import type { DatabaseLocation } from './open.ts'
import { clientOf } from './postgres/start.ts'

type Location = Pick<DatabaseLocation, 'databaseUrl' | 'directDatabaseUrl' | 'dataDir'>

/** With the settings file that was read, where there is one: a lost one is the most frequent reason for another database. */
type Settings = Location & { settingsFile: string | undefined }

/** Which database that is: its engine and its place. Its role and password are no part of that. */
type Place = { engine: 'embedded' } | { engine: 'postgresql'; host: string; port: number; database: string }

/**
 * A command or a start would work on another database than the last server, or as another user, or cannot know. The message
 * says so, and what to do.
 */
export class OtherDatabaseError extends Error {
  readonly sentence: string
  readonly advice: string

  constructor(sentence: string, advice: string, cause?: unknown) {
    super(`${sentence} ${advice}`, { cause })
    this.sentence = sentence
    this.advice = advice
  }
}

const fileIn = (dataDir: string): string => join(dataDir, 'database.json')

/** @throws {DatabaseUnreachableError} when the address cannot be read */
function placeOf({ databaseUrl, directDatabaseUrl }: Location): Place {
  if (databaseUrl === undefined) return { engine: 'embedded' }
  // A pooler in front is no other database.
  const setting = directDatabaseUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const { host, port, database = '' } = clientOf({ connectionString: directDatabaseUrl ?? databaseUrl }, setting)
  return { engine: 'postgresql', host, port, database }
}

function inWords(place: Place, dataDir: string): string {
  if (place.engine === 'embedded') return `the embedded database in ${dataDir}`
  return `the database "${place.database}" of PostgreSQL at ${place.host}:${place.port}`
}

/**
 * Names a database for the operator, without the password.
 * @throws {DatabaseUnreachableError} when the address cannot be read
 */
export function databaseInWords(location: Location): string {
  return inWords(placeOf(location), location.dataDir)
}

/** Notes in the data directory, which must be there, that the server uses this database. */
export async function rememberDatabase(location: Location): Promise<void> {
  const file = fileIn(location.dataDir)
  const fresh = `${file}.${process.pid}.part`
  await writeFile(fresh, `${JSON.stringify(placeOf(location))}\n`, { mode: 0o600 })
  await rename(fresh, file)
}

/**
 * Before a command opens a database.
 * @throws {OtherDatabaseError} where the server that has this data directory last used another one, or is another user's
 * @throws {DatabaseUnreachableError} when the address cannot be read
 */
export async function refuseOtherDatabase(settings: Settings): Promise<void> {
  await refuseOtherUser(settings.dataDir)
  const used = await readLast(settings.dataDir)
  const asked = databaseInWords(settings)
  if (used === undefined || used === asked) return
  throw new OtherDatabaseError(
    `The server last used ${used}, and this command would use ${asked}.`,
    `${fileInWords(settings)} Give it the DATABASE_URL and DATA_DIR of the server, or insist with --database.`,
  )
}

/**
 * Before a command makes files in the data directory.
 * @throws {OtherDatabaseError} where it is another user's
 */
export async function refuseOtherUser(dataDir: string): Promise<void> {
  const other = await otherUserOf(dataDir)
  if (other !== undefined)
    throw new OtherDatabaseError(other.sentence, `Run it as that user, with ${other.asOwner} before the command.`)
}

function fileInWords({ settingsFile }: Settings): string {
  return settingsFile === undefined ? 'No settings file was found.' : `Its settings file is ${settingsFile}.`
}

/**
 * Before a server opens a database: a setting that is left out or mistyped leads to another one, and the files of the
 * directory belong to the first. A file that cannot be read is written anew by the start.
 * @throws {OtherDatabaseError} where the server that had this data directory last used another one, or was another user's
 * @throws {DatabaseUnreachableError} when the address cannot be read
 */
export async function refuseOtherStart(settings: Settings): Promise<void> {
  const { dataDir } = settings
  const other = await otherUserOf(dataDir)
  if (other !== undefined)
    throw new OtherDatabaseError(
      other.sentence,
      `Start it as ${other.owner}, or give it all that is there: chown -R ${other.user} ${dataDir}`,
    )
  const used = await readLast(dataDir).catch(() => undefined)
  const asked = databaseInWords(settings)
  if (used === undefined || used === asked) return
  throw new OtherDatabaseError(
    `The server last used ${used}, and this start would use ${asked}.`,
    `${fileInWords(settings)} Correct DATABASE_URL or DATA_DIR. If the site has moved there, delete ${fileIn(dataDir)} and start again.`,
  )
}

/** @returns its name; undefined where no server has run */
async function readLast(dataDir: string): Promise<string | undefined> {
  const file = fileIn(dataDir)
  try {
    const place = JSON.parse(await readFile(file, 'utf8')) as Place
    if (place.engine !== 'embedded' && !place.host) throw new Error('It names no database.')
    return inWords(place, dataDir)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OtherDatabaseError(
      `The database of the server is not known: ${file} cannot be read.`,
      'The next start of the server writes it anew; --database goes on without it.',
      cause,
    )
  }
}
