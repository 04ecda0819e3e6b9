import pg from 'pg'
import { faultOf, reasonOf } from './faults.ts'

/** PostgreSQL cannot be used as the settings say. The message is a sentence for the operator, without the password. */
export class DatabaseUnreachableError extends Error {
  /** The setting that names the database. */
  readonly setting: string

  constructor(why: string, { setting, cause }: { setting: string; cause?: unknown }) {
    super(`The database that ${setting} names cannot be used: ${why}`, { cause })
    this.name = 'DatabaseUnreachableError'
    this.setting = setting
  }
}

/**
 * A client that is not connected yet.
 * @param setting the one that the address is from
 * @throws {DatabaseUnreachableError} when the address cannot be read
 */
export function clientOf(config: pg.ClientConfig, setting: string): pg.Client {
  try {
    return new pg.Client(config)
  } catch (error) {
    // Its own words may hold the whole address, and with it the password.
    const { code, path } = error as { code?: string; path?: string }
    throw new DatabaseUnreachableError(
      code === 'ENOENT'
        ? `it names the file ${path}, which is not there.`
        : 'it cannot be read as an address. In a password write @ as %40, / as %2F, # as %23, a space as %20 and % as %25.',
      { setting },
    )
  }
}

const oldestVersion = 15
const againMs = 1_000

/**
 * Waits until PostgreSQL takes a connection, and checks whether we can use it. A problem that waiting does not solve (a
 * wrong password, no such role or database, a version that is too old, another encoding) ends it at once.
 * @param client makes a client that is not connected yet, and gives up connecting after some seconds
 * @param options.setting the one that the address is from
 * @param options.waitMs how long it is tried; 0 for once
 * @param options.waiting called once, with the reason, when the first attempt fails
 * @throws {DatabaseUnreachableError}
 */
export async function reachPostgres(
  client: () => pg.Client,
  { setting, waitMs, waiting }: { setting: string; waitMs: number; waiting: (reason: string) => void },
): Promise<void> {
  const end = performance.now() + waitMs
  for (let attempt = 1; ; attempt += 1) {
    const probe = client()
    // A broken connection also rejects the pending call.
    probe.on('error', () => {})
    try {
      await probe.connect()
      const { rows } = await probe.query<ServerKind>(
        `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
      )
      refuseOther(rows[0] as ServerKind, setting)
      return
    } catch (error) {
      if (error instanceof DatabaseUnreachableError) throw error
      const why = sentenceOf(error, probe)
      if (faultOf(error) !== 'broken' || performance.now() + againMs > end) {
        throw new DatabaseUnreachableError(why, { setting, cause: error })
      }
      if (attempt === 1) waiting(why)
    } finally {
      // A server that does not answer does not say goodbye either.
      void probe.end()
    }
    await new Promise((wake) => setTimeout(wake, againMs))
  }
}

interface ServerKind {
  version: string
  encoding: string
}

function refuseOther({ version, encoding }: ServerKind, setting: string): void {
  const major = Math.floor(Number(version) / 10_000)
  if (major < oldestVersion)
    throw new DatabaseUnreachableError(`it is PostgreSQL ${major}, and version ${oldestVersion} or newer is needed.`, {
      setting,
    })
  // A server that was set up without a language has it: texts are bytes there, and cannot be compared.
  if (encoding !== 'UTF8')
    throw new DatabaseUnreachableError(
      `its encoding is ${encoding}. Make one with "create database … encoding 'UTF8' template template0".`,
      { setting },
    )
}

/** Why a connection could not be made, in words that lead to the part of the address that is wrong. */
function sentenceOf(error: unknown, { host, port, user = '', database = '' }: pg.Client): string {
  const code = codeOf(error)
  const place = `${host}:${port}`
  const reason = reasonOf(error)
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens at ${place} (${reason}).`
    case 'ENOTFOUND':
      return `there is no host ${host} (${reason}).`
    case 'EAI_AGAIN':
      return `the name ${host} cannot be looked up (${reason}).`
    case '28P01':
      return `PostgreSQL at ${place} refuses the password of the role "${user}".`
    case '28000':
      return `PostgreSQL at ${place} refuses the role "${user}" (${reason}).`
    case '3D000':
      return `PostgreSQL at ${place} has no database "${database}".`
  }
  if (/timeout expired/.test(reason)) return `nothing answers at ${place} in time.`
  if (/password must be a/.test(reason))
    return `PostgreSQL at ${place} wants a password for the role "${user}", and there is none.`
  return `${place} says: ${reason.replace(/\.$/, '')}.`
}

/** Several addresses of one host were tried: any of their codes will do. */
function codeOf(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  return code ?? (error instanceof AggregateError ? codeOf(error.errors[0]) : undefined)
}
