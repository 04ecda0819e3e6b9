import packageFile from '../../../../package.json' with { type: 'json' }
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { TableLoad } from '../../../db/dump/put-tables.ts'
import type { SequencePlace } from '../../../db/dump/read-tables.ts'
import { lockInTransaction } from '../../../db/locks.ts'
import { migrate } from '../../../db/migrate.ts'
import { migrations } from '../../../db/migrations/index.ts'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import { endAccess } from '../../accounts/sign-in/end-access.server.ts'
import { journalFile } from '../../notices/journal/journal-file.server.ts'
import { uniteJournals } from '../../notices/journal/unite-journals.server.ts'
import { beginRehearsal } from '../../office/rehearsal.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { SiteApp, SiteDatabase } from '../app.ts'
import { BackupFault } from './frames.ts'
import type { BackupHead, Manifest } from './manifest.ts'
import { type BackupPart, parsed, readBackup } from './read-backup.server.ts'

interface RestoreTarget extends Pick<SiteApp, 'evidence' | 'removalJournal' | 'config'> {
  /** With the role that owns the tables to come. */
  owner: Kysely<SiteDatabase>
  /** The embedded engine's log grows until it is asked to work it off. */
  engine: 'embedded' | 'postgresql'
}

interface RestoreOptions {
  /** A move goes on where the other has ended: nobody is signed out, and it is no rehearsal. */
  isMove?: boolean
  onProgress?: (put: { rows: number; files: number }) => void
  /** Hears how long it took to bring the schema of the backup to that of this version, in milliseconds. */
  onMigrated?: (ms: number) => void
  /** Hears of tables that are none of Daybook's. */
  onForeign?: (table: string) => void
}

export interface Restored {
  manifest: Manifest
  /** Removals since the backup, of which the journal in the data directory knows. */
  kept: number
}

/**
 * Puts a backup into an empty database: in one transaction, which ends after the last word of the backup was read and found
 * right. Until then nothing of it is anybody's to see.
 * @throws {BackupFault} where the backup is not whole, or of a newer version
 */
export async function restoreBackup(
  target: RestoreTarget,
  pieces: AsyncIterable<Buffer>,
  options: RestoreOptions = {},
): Promise<Restored> {
  const folder = join(target.config.dataDir, 'restoring')
  await rm(folder, { recursive: true, force: true })
  await makePrivateFolder(folder)
  const files = new FilePut(target)
  let undoJournal = (): Promise<void> => Promise.resolve()
  try {
    return await target.owner.transaction().execute(async (trx) => {
      const put = new BackupPut(trx, target, files, folder, options)
      const manifest = await readBackup(pieces, put)
      await put.finish(manifest)
      const { kept, undo } = await uniteJournals(target.removalJournal, folder)
      undoJournal = undo
      return { manifest, kept }
    })
  } catch (error) {
    await undoJournal()
    await files.undo()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Work of the embedded engine's log that is gathered before it is asked to work it off. */
const checkpointEvery = 64 * 1024 * 1024

/** The parts of a backup, put in their places as they come. */
class BackupPut {
  readonly #trx: Transaction<SiteDatabase>
  readonly #target: RestoreTarget
  readonly #files: FilePut
  readonly #options: RestoreOptions
  readonly #journal: WriteStream
  #load: TableLoad | undefined
  #put: ((json: string) => Promise<void>) | undefined
  #sequences: SequencePlace[] = []
  #table = ''
  #rows = 0
  #sinceCheckpoint = 0

  constructor(
    trx: Transaction<SiteDatabase>,
    target: RestoreTarget,
    files: FilePut,
    folder: string,
    options: RestoreOptions,
  ) {
    this.#trx = trx
    this.#target = target
    this.#files = files
    this.#options = options
    this.#journal = createWriteStream(journalFile({ dataDir: folder }), { mode: 0o600 })
  }

  async head({ migrations: done, version }: BackupHead): Promise<void> {
    refuseNewer(done, version)
    await lockInTransaction(this.#trx, 'restore')
    const made = await migrate(this.#trx, done.at(-1))
    if (made.length < done.length) throw takenMeanwhile()
    this.#load = await TableLoad.begin(this.#trx)
  }

  async part(kind: BackupPart, content: Buffer): Promise<void> {
    switch (kind) {
      case 'table':
        return this.#beginTable(parsed(content) as { name: string; columns: string[] })
      case 'rows':
        return this.#putRows(content)
      case 'sequences':
        this.#sequences = parsed(content) as SequencePlace[]
        return
      case 'journal':
        if (!this.#journal.write(content)) await once(this.#journal, 'drain')
        return
      case 'file':
        await this.#files.begin((parsed(content) as { name: string }).name)
        this.#options.onProgress?.({ rows: this.#rows, files: this.#files.count })
        return
      case 'bytes':
        this.#files.add(content)
    }
  }

  async #beginTable({ name, columns }: { name: string; columns: string[] }): Promise<void> {
    this.#table = name
    this.#put = await this.#loading.open(name, columns).catch((error: unknown) => {
      throw new BackupFault(`cannot be restored. ${(error as Error).message}`, { cause: error })
    })
    if (this.#put === undefined) this.#options.onForeign?.(name)
  }

  async #putRows(content: Buffer): Promise<void> {
    if (this.#put === undefined) return
    try {
      await this.#put(content.toString())
    } catch (cause) {
      throw new BackupFault(`cannot be restored: the table ${this.#table} does not take its rows.`, { cause })
    }
    this.#rows += (parsed(content) as string[]).length
    this.#options.onProgress?.({ rows: this.#rows, files: 0 })
    this.#sinceCheckpoint += content.length
    if (this.#target.engine !== 'embedded' || this.#sinceCheckpoint < checkpointEvery) return
    this.#sinceCheckpoint = 0
    await sql`checkpoint`.execute(this.#trx)
  }

  get #loading(): TableLoad {
    if (this.#load === undefined) throw new BackupFault('is damaged.')
    return this.#load
  }

  async finish({ createdAt, version, auditPosition }: Manifest): Promise<void> {
    const trx = this.#trx
    await this.#files.end()
    this.#journal.end()
    await once(this.#journal, 'close')
    await this.#loading.finish(this.#sequences).catch((cause: unknown) => {
      throw new BackupFault('cannot be restored: its rows do not fit together.', { cause })
    })
    const beganAt = performance.now()
    await migrate(trx)
    this.#options.onMigrated?.(performance.now() - beganAt)
    if (this.#options.isMove !== true) {
      await endAccess(trx, 'everybody')
      await beginRehearsal(trx)
    }
    const details = { createdAt, version, auditPosition, isMove: this.#options.isMove === true }
    await recordAuditEvent(trx, { action: 'backup.restored', by: 'operator', details })
  }
}

/** The database is somebody's by now: it would be emptied for the backup. */
const takenMeanwhile = (): Error =>
  new Error('The database is not empty any more: something else has begun to use it. Nothing was restored.')

/** @throws {BackupFault} */
export function refuseNewer(done: readonly string[], version: string): void {
  const known = Object.keys(migrations)
  if (done.length === 0) throw new BackupFault('is damaged.')
  const isUnknown = done.some((name, place) => name !== known[place])
  if (isUnknown && version === packageFile.version)
    throw new BackupFault(
      'was made while the database was that of the next version: this one does not know its schema. Restore it with that version.',
    )
  if (isUnknown)
    throw new BackupFault(
      `was made by another version, ${version}: this one does not know its schema. Restore it with that version.`,
    )
}

/** Ids of evidence, and names of covers. */
const storeName = /^[\w-]+$/

class FilePut {
  readonly #evidence: RestoreTarget['evidence']
  #there: Set<string> | undefined
  #name: string | undefined
  #bytes: Buffer[] = []
  readonly #put: string[] = []
  count = 0

  constructor({ evidence }: RestoreTarget) {
    this.#evidence = evidence
  }

  async begin(name: string): Promise<void> {
    // The file may be anybody's: a name leads nowhere but into the store.
    if (!storeName.test(name)) throw new BackupFault('is damaged.')
    if (this.#there === undefined) {
      this.#there = new Set()
      for await (const known of this.#evidence.list()) this.#there.add(known)
    }
    await this.end()
    this.#name = name
    this.count += 1
  }

  add(bytes: Buffer): void {
    this.#bytes.push(Buffer.from(bytes))
  }

  /** A file that is there already stays: its name is never given twice. */
  async end(): Promise<void> {
    const name = this.#name
    const bytes = Buffer.concat(this.#bytes)
    this.#name = undefined
    this.#bytes = []
    if (name === undefined || this.#there?.has(name) === true) return
    this.#put.push(name)
    // Also what a restore that was killed has left of it.
    await this.#evidence.delete(name)
    await this.#evidence.put(name, bytes)
  }

  async undo(): Promise<void> {
    for (const name of this.#put) await this.#evidence.delete(name)
  }
}
