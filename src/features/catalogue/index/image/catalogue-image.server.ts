import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { DirectoryLockedError, lockDirectory } from '../../../../db/embedded/directory-lock.ts'
import type { CatalogueApp } from '../../app.ts'
import { isAppError } from '../../../../platform/errors.ts'
import { packageRoot } from '../../../../platform/package-files.ts'
import { makePrivateFolder } from '../../../../platform/private-folder.ts'
import type { SavedListing } from '../listing-index.server.ts'
import { changedAtOf } from '../read-listing.server.ts'
import type { SegmentColumns } from '../names/name-segment.server.ts'
import { type Column, type Image, readImage, writeImage } from './image-file.server.ts'
import { type ItemRecord, RecordFile, type SavedRecords } from './record-file.server.ts'

type ImageApp = Pick<CatalogueApp, 'config' | 'db' | 'log' | 'diskSpace'>

/** A version of the database, and when that came to it (`changedAtOf`). */
type Moment = Pick<SavedListing, 'version' | 'changedAt'>

/** The facts of an image beside its columns. */
interface Facts extends Moment, Pick<SavedListing, 'savedAt'> {
  /** A digest of the sources and the time zone: an image with another one is made anew. */
  recipe: string
  /** The newest version of the database at the time of saving: records may be newer than the listing. */
  newest: Moment
  lapses: { no: number; at: number }[]
  segments: number[]
  recent: [no: number, searched: string][]
  slugCount: number
  rows: SavedRecords
  details: SavedRecords
}

interface Records {
  rows: RecordFile
  details: RecordFile
}

/** Processes that share a data directory have an image each. */
const maxFolders = 64
const fileName = 'image'

/**
 * The catalogue on disk (`DATA_DIR/image`): two records of each item, and the listing at one version. The next start begins with
 * it. Nothing in it is the truth: the database is read for everything that it lacks, and a damaged image is made anew.
 */
export class CatalogueImage {
  readonly #app: ImageApp
  readonly #recipe: string
  #folder: string | undefined
  #release: (() => Promise<void>) | undefined
  #records: Records | undefined
  #saving: Promise<unknown> = Promise.resolve()
  #hits = 0
  #misses = 0

  constructor(app: ImageApp) {
    this.#app = app
    this.#recipe = `${recipeOfSources()} ${app.config.timeZone}`
  }

  /**
   * Takes a folder of its own and looks for what was saved there.
   * @returns the listing as it was saved; undefined if that cannot be used
   */
  async open(): Promise<SavedListing | undefined> {
    try {
      await this.#takeFolder()
      const saved = await this.#readSaved()
      const named = [...(saved?.rows.files ?? []), ...(saved?.details.files ?? [])].map(({ name }) => name)
      await this.#deleteOthers(named)
      this.#openRecords(saved)
      return saved?.listing
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  /** Whether it can be read and written. */
  get isOpen(): boolean {
    return this.#records !== undefined
  }

  /** Its contents, and how many records were found in it or had to be read from the database. */
  get figures(): { bytes: number; hits: number; misses: number } {
    const { rows, details } = this.#records ?? {}
    return { bytes: (rows?.liveBytes ?? 0) + (details?.liveBytes ?? 0), hits: this.#hits, misses: this.#misses }
  }

  /** Items as lists have them, in the order of `numbers`: undefined for one without a record, none without an image. */
  readRows(numbers: readonly number[], allocate?: (size: number) => Buffer): (Buffer | undefined)[] {
    const found = this.#attempt(({ rows }) => rows.readAll(numbers, allocate)) ?? []
    const hits = found.reduce((sum, record) => sum + (record === undefined ? 0 : 1), 0)
    this.#hits += hits
    this.#misses += numbers.length - hits
    return found
  }

  readDetails(no: number): Buffer | undefined {
    const found = this.#attempt(({ details }) => details.read(no))
    if (found === undefined) this.#misses += 1
    else this.#hits += 1
    return found
  }

  /** Whether an item is to be read into it. */
  lacks(no: number): boolean {
    return this.#records !== undefined && !(this.#records.rows.has(no) && this.#records.details.has(no))
  }

  /** @returns false where the disk is full: later it may have room */
  store({ rows = [], details = [] }: { rows?: ItemRecord[]; details?: ItemRecord[] }): boolean {
    if (!this.#app.diskSpace.hasRoomForFiles) return false
    try {
      this.#records?.rows.write(rows)
      this.#records?.details.write(details)
      return true
    } catch (error) {
      const isFull = isAppError(this.#app.diskSpace.explain(error))
      if (!isFull) this.#fail(error)
      return !isFull
    }
  }

  deleteRow(no: number): void {
    this.#records?.rows.delete(no)
  }

  deleteDetails(no: number): void {
    this.#records?.details.delete(no)
  }

  clear(): void {
    this.#attempt(({ rows, details }) => {
      rows.clear()
      details.clear()
    })
  }

  /** After an error of the disk the database is read in its place. */
  #attempt<Result>(work: (records: Records) => Result): Result | undefined {
    if (this.#records === undefined) return undefined
    try {
      return work(this.#records)
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  #fail(error: unknown): void {
    this.#app.log.error(
      { err: error },
      'The image of the catalogue in DATA_DIR/image cannot be used: until the next start the database is read.',
    )
    this.#closeRecords()
  }

  /**
   * Writes the listing, so that the next start begins with it. Errors are logged.
   * @param order gives the items in the order in which records are to lie
   * @returns whether it is written
   */
  async save(take: () => SavedListing, order: () => readonly number[]): Promise<boolean> {
    const saving = this.#saving
      .then(() => this.#write(take, order))
      .catch((error: unknown) => {
        this.#app.log.error({ err: error }, 'The image of the catalogue could not be saved.')
        return false
      })
    this.#saving = saving
    return saving
  }

  async close(): Promise<void> {
    await this.#saving
    this.#closeRecords()
    await this.#release?.()
    this.#release = undefined
  }

  #closeRecords(): void {
    this.#records?.rows.close()
    this.#records?.details.close()
    this.#records = undefined
  }

  async #takeFolder(): Promise<void> {
    for (let i = 1; i <= maxFolders; i += 1) {
      const folder = join(this.#app.config.dataDir, 'image', `${i}`)
      await makePrivateFolder(folder)
      try {
        this.#release = await lockDirectory(folder)
        this.#folder = folder
        return
      } catch (error) {
        if (!(error instanceof DirectoryLockedError)) throw error
      }
    }
    throw new Error(`More than ${maxFolders} processes use this DATA_DIR.`)
  }

  #path(name: string): string {
    if (this.#folder === undefined) throw new Error('The image is not open.')
    return join(this.#folder, name)
  }

  async #readSaved() {
    let image: Image<Facts> | undefined
    try {
      image = readImage<Facts>(this.#path(fileName))
    } catch (error) {
      this.#app.log.warn({ err: error }, 'The image of the catalogue is damaged and is made anew.')
    }
    if (image === undefined || image.facts.recipe !== this.#recipe) return undefined
    const { newest } = image.facts
    const { changedAt } = await this.#newest(newest.version)
    return changedAt !== null && changedAt === newest.changedAt ? unpack(image) : undefined
  }

  /** The newest version of the database; and when that came to it, or to an earlier one. */
  async #newest(earlier?: number): Promise<Moment> {
    const { version, changedAt } = await this.#app.db
      .selectFrom('catalogue_state')
      .select((of) => [
        'version',
        changedAtOf(earlier === undefined ? sql`${of.ref('version')}` : sql`${earlier}::bigint`).as('changedAt'),
      ])
      .executeTakeFirstOrThrow()
    return { version: Number(version), changedAt }
  }

  async #deleteOthers(names: readonly string[]): Promise<void> {
    for (const name of await readdir(this.#path('')))
      if (/^(?:rows|details)-/.test(name) && !names.includes(name)) await rm(this.#path(name), { force: true })
  }

  #openRecords(saved: { rows: SavedRecords; details: SavedRecords } | undefined): void {
    const folder = this.#path('')
    try {
      this.#records = {
        rows: new RecordFile(folder, 'rows', saved?.rows),
        details: new RecordFile(folder, 'details', saved?.details),
      }
    } catch (error) {
      if (saved === undefined) throw error
      this.#app.log.warn({ err: error }, 'The records of the catalogue are damaged and are made anew.')
      this.#openRecords(undefined)
    }
  }

  async #write(take: () => SavedListing, order: () => readonly number[]): Promise<boolean> {
    for (const file of Object.values(this.#records ?? {}))
      if (file.isWasteful) await file.compact(order(), setImmediate)
    if (this.#records === undefined) return false
    // Nothing waits between these: they are of one version.
    const listing = take()
    const rows = this.#records.rows.save()
    const details = this.#records.details.save()
    const newest = await this.#newest()
    await rows.sync()
    await details.sync()
    const { facts, columns } = pack(listing, rows.saved, details.saved)
    await writeImage(this.#path(fileName), { facts: { ...facts, recipe: this.#recipe, newest }, columns })
    for (const file of Object.values(this.#records ?? {})) file.deleteFormer()
    return true
  }
}

/** A digest of the sources that say what is in an image: with another one it is made anew. */
function recipeOfSources(): string {
  const catalogue = join(packageRoot, 'src', 'features', 'catalogue')
  const digest = createHash('sha256')
  for (const folder of ['index', 'index/names', 'index/terms', 'item', 'index/image'].map((each) =>
    join(catalogue, each),
  ))
    for (const name of readdirSync(folder).sort())
      if (name.endsWith('.ts') && !name.endsWith('.test.ts')) digest.update(readFileSync(join(folder, name)))
  return digest.digest('hex')
}

function pack(
  { version, changedAt, savedAt, lapses, columns: listed, names, slugs, terms }: SavedListing,
  rows: SavedRecords,
  details: SavedRecords,
): Image<Omit<Facts, 'recipe' | 'newest'>> {
  const columns: Record<string, Column> = {}
  const put = (prefix: string, from: object): void => {
    for (const [name, column] of Object.entries(from))
      if (ArrayBuffer.isView(column)) columns[`${prefix}.${name}`] = column as Column
  }
  put('listed', listed)
  put('names', names)
  put('slugs', slugs)
  put('terms', terms)
  put('rows', rows)
  put('details', details)
  for (const { id, columns: ofSegment } of names.segments) put(`segment${id}`, ofSegment)
  return {
    facts: {
      version,
      changedAt,
      savedAt,
      lapses,
      segments: names.segments.map(({ id }) => id),
      recent: names.recent,
      slugCount: slugs.count,
      rows: withoutColumns(rows),
      details: withoutColumns(details),
    },
    columns,
  }
}

/** As facts: the columns lie beside. */
function withoutColumns({ files, end, liveBytes }: SavedRecords): SavedRecords {
  return { files, end, liveBytes, addresses: new Float64Array(), lengths: new Uint32Array() }
}

function unpack({ facts, columns }: Image<Facts>): {
  listing: SavedListing
  rows: SavedRecords
  details: SavedRecords
} {
  const take = (prefix: string): unknown =>
    Object.fromEntries(
      Object.entries(columns).flatMap(([name, column]) =>
        name.startsWith(`${prefix}.`) ? [[name.slice(prefix.length + 1), column]] : [],
      ),
    )
  return {
    listing: {
      version: facts.version,
      changedAt: facts.changedAt,
      savedAt: facts.savedAt,
      lapses: facts.lapses,
      columns: take('listed') as SavedListing['columns'],
      names: {
        ...(take('names') as Pick<SavedListing['names'], 'homes' | 'titleLengths'>),
        segments: facts.segments.map((id) => ({ id, columns: take(`segment${id}`) as SegmentColumns })),
        recent: facts.recent,
      },
      slugs: { count: facts.slugCount, ...(take('slugs') as Pick<SavedListing['slugs'], 'numbers' | 'hashes'>) },
      terms: take('terms') as SavedListing['terms'],
    },
    rows: { ...facts.rows, ...(take('rows') as Pick<SavedRecords, 'addresses' | 'lengths'>) },
    details: { ...facts.details, ...(take('details') as Pick<SavedRecords, 'addresses' | 'lengths'>) },
  }
}
