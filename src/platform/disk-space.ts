import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseEngine } from '../db/open-database.ts'
import { ConfigError } from './config/config.ts'
import type { PlatformConfig } from './config/platform-config.ts'
import { diskFull, diskFullForOperator } from './database-outages.ts'
import { isAppError } from './errors.ts'
import type { Log } from './log.ts'
import { makePrivateFolder } from './private-folder.ts'

const megabyte = 1024 * 1024
/** Below this nothing is written. PostgreSQL takes room for its log 16 MB at a time, and gives up where it gets none. */
const reserveBytes = 64 * megabyte
/** Full is over with one piece of the log more than that, so that the log's own coming and going does not end it. */
const enoughBytes = reserveBytes + 16 * megabyte
/** The size of a new database after its first start. */
const newDatabaseBytes = 64 * megabyte
/** Below this administrators are warned. */
export const littleBytes = 512 * megabyte
const lookEveryMs = 60_000
/** A write may rely on a look that is no older. */
const freshMs = 1_000

export type FreeBytes = (directory: string) => Promise<number>

/** The free bytes for a process in the file system of this directory, which need not exist yet. */
export const freeBytesOf: FreeBytes = async (directory) => {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(directory) === directory) throw error
    return freeBytesOf(dirname(directory))
  }
}

const unusableCodes: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EEXIST',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'EROFS',
])

const isUnusable = (error: unknown): boolean => unusableCodes.has((error as NodeJS.ErrnoException).code)

/** Whether something can be written in a directory, which need not exist yet. */
export async function isUsableDirectory(directory: string): Promise<boolean> {
  try {
    if (!(await stat(directory)).isDirectory()) return false
    await access(directory, constants.W_OK)
    // File systems of the kernel, such as /proc, report no size.
    return (await statfs(directory)).blocks !== 0
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing && dirname(directory) !== directory) return isUsableDirectory(dirname(directory))
    if (isUnusable(error)) return false
    throw error
  }
}

const unusableDataDir = (dataDir: string) =>
  new ConfigError('DATA_DIR', 'a directory that this user may write to', dataDir)

/**
 * Makes the data directory, which files lie in with either engine.
 * @throws {ConfigError} where it cannot be made
 */
export async function makeDataDir({ dataDir }: Pick<PlatformConfig, 'dataDir'>): Promise<void> {
  try {
    await makePrivateFolder(dataDir)
  } catch (error) {
    throw isUnusable(error) ? unusableDataDir(dataDir) : error
  }
}

/**
 * Before the embedded database is opened: the opening itself writes.
 * @throws {ConfigError} when nothing can be written in the data directory
 * @throws {AppError} `disk.full` with the operator's sentence
 */
export async function refuseFullDisk(
  { databaseUrl, dataDir }: Pick<PlatformConfig, 'databaseUrl' | 'dataDir'>,
  isNew: boolean,
  freeBytes: FreeBytes = freeBytesOf,
): Promise<void> {
  if (databaseUrl !== undefined) return
  if (!(await isUsableDirectory(dataDir))) throw unusableDataDir(dataDir)
  const free = await freeBytes(dataDir)
  const needed = reserveBytes + (isNew ? newDatabaseBytes : 0)
  if (free < needed) throw diskFullForOperator(sentence(dataDir, free, needed))
}

/**
 * Keeps the embedded database from meeting a full disk, where an engine that cannot write its log gives up. Below a
 * reserve it is made read-only: writes are refused, reads go on. With PostgreSQL its server reports a full disk
 * (`OutageReports.diskFull`); on ours only files are refused, and administrators are warned.
 */
export class DiskSpace {
  readonly #directory: string
  readonly #database: DatabaseEngine
  readonly #log: Log
  readonly #freeBytes: FreeBytes
  readonly #isServerFull: () => boolean
  #isFull = false
  /** Undefined while it is not known: the engine was told, and has not said that it is so. */
  #isReadOnly: boolean | undefined = false
  #free = Infinity
  #lookedAt = -Infinity
  #look: Promise<void> | undefined

  constructor(
    { dataDir }: Pick<PlatformConfig, 'dataDir'>,
    database: DatabaseEngine,
    log: Log,
    {
      freeBytes = freeBytesOf,
      isServerFull = () => false,
    }: {
      freeBytes?: FreeBytes | undefined
      /** Whether PostgreSQL has just refused a write for want of room. */
      isServerFull?: () => boolean
    } = {},
  ) {
    this.#isServerFull = isServerFull
    this.#directory = dataDir
    this.#database = database
    this.#log = log
    this.#freeBytes = freeBytes
  }

  /** Nothing is written at present. Jobs of the clock wait. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Whether writes are refused: here, or by the database's server for as long as it has done so within a minute. */
  get refusesWrites(): boolean {
    return this.#isFull || this.#isServerFull()
  }

  /** Whether files may be written into the data directory, whichever engine there is, as far as the last look says. */
  get hasRoomForFiles(): boolean {
    return !this.#isFull && this.#free >= reserveBytes
  }

  /** As the last look says; undefined before the first. */
  get freeBytes(): number | undefined {
    return Number.isFinite(this.#free) ? this.#free : undefined
  }

  /** For the operator: how full it is, and what to do. */
  get sentence(): string {
    if (this.#database.engine === 'postgresql')
      return "The disk of the database's server is full. Make room there; what is stored stays readable."
    return sentence(this.#directory, this.#free, reserveBytes, enoughBytes)
  }

  /** For the operator, before it is full: undefined while there is room. */
  get warning(): string | undefined {
    if (this.refusesWrites) return this.sentence
    if (this.#free >= littleBytes) return undefined
    const free = Math.floor(this.#free / megabyte)
    const reserve = Math.floor(reserveBytes / megabyte)
    const refused = this.#database.engine === 'postgresql' ? 'no files' : 'nothing'
    return `The disk of ${this.#directory} is nearly full: ${free} MB are free, and Daybook writes ${refused} below ${reserve} MB.`
  }

  /** Looks at the disk now, and begins or ends the refusal of writes; one line in the log says which. */
  async look(): Promise<void> {
    this.#look ??= this.#lookNow().finally(() => (this.#look = undefined))
    return this.#look
  }

  async #lookNow(): Promise<void> {
    this.#free = await this.#freeBytes(this.#directory)
    this.#lookedAt = performance.now()
    if (this.#database.engine !== 'embedded') return
    const isFull = this.#free < (this.#isFull ? enoughBytes : reserveBytes)
    if (isFull && !this.#isFull) {
      // The first write is refused from now on, whatever the engine says to the others.
      this.#isFull = true
      this.#log.error(this.#said(), this.sentence)
    }
    // Tried again at every look until the engine has taken it.
    if (isFull !== this.#isReadOnly) {
      this.#isReadOnly = undefined
      await this.#database.run(`set default_transaction_read_only = ${isFull ? 'on' : 'off'}`)
      this.#isReadOnly = isFull
    }
    if (!isFull && this.#isFull) {
      this.#isFull = false
      this.#log.info(this.#said(), 'There is room on the disk again: writes are accepted.')
    }
    await this.#database.shortenLog?.()
  }

  #said(): { directory: string; freeMegabytes: number } {
    return { directory: this.#directory, freeMegabytes: Math.floor(this.#free / megabyte) }
  }

  /**
   * Before a write, and before any work that would be for nothing without it.
   * @throws {AppError} `disk.full`, 503
   */
  async refuseWhenFull(): Promise<void> {
    if (this.#database.engine !== 'embedded') return
    if (performance.now() - this.#lookedAt > freshMs) await this.look()
    if (this.#isFull) throw diskFull()
  }

  /**
   * Before each step of long work, and each piece of an upload: together they write more than fits between two looks.
   * @throws {AppError} `disk.full`, 503
   */
  async refuseStepWhenFull(): Promise<void> {
    if (this.#database.engine !== 'embedded') return
    await this.look()
    if (this.#isFull) throw diskFull()
  }

  /**
   * Before a file is written into the data directory, whichever engine there is.
   * @throws {AppError} `disk.full`, 503
   */
  async refuseFileWhenFull(): Promise<void> {
    await this.look()
    if (!this.hasRoomForFiles) throw diskFull()
  }

  /** An error of the engine's that tells of a full disk, as `disk.full`; any other as it is. */
  explain(error: unknown): unknown {
    if (isAppError(error)) return error
    for (let at = error; at instanceof Error; at = at.cause) {
      const { code } = at as { code?: unknown }
      if (code === noSpace || code === 'ENOSPC') {
        this.#lookSoon()
        return diskFull({ cause: error })
      }
      if (code === readOnly && this.#isFull) return diskFull({ cause: error })
    }
    return error
  }

  #lookSoon(): void {
    this.look().catch((error: unknown) =>
      this.#log.error({ err: error }, 'The free space of the disk could not be read.'),
    )
  }

  /** Looks once a minute. Returns how to stop. */
  watch(): () => void {
    const timer = setInterval(() => this.#lookSoon(), lookEveryMs)
    timer.unref()
    return () => clearInterval(timer)
  }
}

/** PostgreSQL's names for a disk without room, and for a write that a read-only database refuses. */
const noSpace = '53100'
const readOnly = '25006'

/** @param enough what must be free before a running process writes again */
function sentence(directory: string, free: number, needed: number, enough = needed): string {
  const [is, wanted, again] = [free, needed, enough].map((bytes) => Math.floor(bytes / megabyte))
  return `The disk of ${directory} is full: ${is} MB are free, and Daybook writes nothing below ${wanted} MB. Make room there, until ${again} MB are free; what is stored stays readable.`
}
