import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import packageFile from '../../../../package.json' with { type: 'json' }
import { listTables, spellAlike } from '../../../db/dump/list-tables.ts'
import { readRows, readSequences } from '../../../db/dump/read-tables.ts'
import type { SqlRunner } from '../../../db/queryable.ts'
import { isAppError } from '../../../platform/errors.ts'
import { coverFile } from '../../catalogue/covers/store-cover.server.ts'
import { coverWidths } from '../../catalogue/item/cover-address.ts'
import type { SiteApp } from '../app.ts'
import { type FrameKind, frameOf } from './frames.ts'
import { backupFormat, type BackupHead, type Manifest } from './manifest.ts'

/** The parts of the application that a backup reads. */
type BackedUp = Pick<SiteApp, 'maintenanceDb' | 'evidence' | 'removalJournal' | 'clock'>

interface BackupOptions {
  withFiles: boolean
  /** Hears of each step: how many rows and files are written by now. */
  onProgress?: (written: { rows: number; files: number }) => void
  /** Hears of files that the database names and the store has lost. */
  onLost?: (name: string) => void
}

/**
 * Makes a backup as it is read from: the whole database at one instant, the journal of removals, and the files that the database
 * names (docs/spec/backups.md). No more than some megabytes of it are in memory.
 */
export async function* writeBackup(app: BackedUp, options: BackupOptions): AsyncGenerator<Buffer> {
  // A damaged journal is no record: told before anything is written.
  const journal = await app.removalJournal.read()
  const digest = createHash('sha256')
  const made = (kind: FrameKind, content: Buffer | string): Buffer => {
    const frame = frameOf(kind, content)
    digest.update(frame)
    return frame
  }
  const trx = await app.maintenanceDb.startTransaction().execute()
  try {
    await sql`set transaction isolation level repeatable read, read only`.execute(trx)
    await spellAlike(trx)
    const { rows: done } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(trx)
    const head: BackupHead = {
      format: backupFormat,
      version: packageFile.version,
      migrations: done.map(({ name }) => name),
      createdAt: new Date(app.clock.now()).toISOString(),
    }
    yield made('head', JSON.stringify(head))

    const counts: Manifest['counts'] = {}
    let rows = 0
    for (const table of await listTables(trx)) {
      counts[table.name] = 0
      yield made('table', JSON.stringify({ name: table.name, columns: table.columns.map(({ name }) => name) }))
      for await (const { count, json } of readRows(trx, table)) {
        counts[table.name] = (counts[table.name] ?? 0) + count
        rows += count
        options.onProgress?.({ rows, files: 0 })
        yield made('rows', json)
      }
    }
    yield made('sequences', JSON.stringify(await readSequences(trx)))
    const { rows: heads } = await sql<{ position: string }>`select position from audit_head`.execute(trx)

    if (journal.lines > 0) {
      // Lines that were added meanwhile may be torn at their end: only what was read is whole.
      const lines = createReadStream(app.removalJournal.path, { end: journal.size - 1 })
      for await (const piece of lines) yield made('journal', piece as Buffer)
    }

    const files = { evidence: 0, covers: 0 }
    if (options.withFiles) {
      for await (const { kind, names } of filesOf(trx)) {
        let isWhole = true
        for (const name of names) {
          const bytes = await piecesOf(app, name)
          if (bytes === undefined) {
            isWhole = false
            options.onLost?.(name)
            continue
          }
          yield made('file', JSON.stringify({ name }))
          for await (const piece of bytes) yield made('bytes', Buffer.from(piece))
        }
        if (isWhole) files[kind] += 1
        options.onProgress?.({ rows, files: files.evidence + files.covers })
      }
    }
    const manifest: Manifest = {
      ...head,
      counts,
      checksum: digest.digest('hex'),
      auditPosition: Number(heads[0]?.position ?? 0),
      removals: journal.state.removals.size,
      evidence: options.withFiles ? files.evidence : null,
      covers: options.withFiles ? files.covers : null,
    }
    yield frameOf('manifest', JSON.stringify(manifest))
  } finally {
    await trx.rollback().execute()
  }
}

const namesAtOnce = 1_000

/** The files that the database names, with the names of each in the store. */
async function* filesOf(trx: SqlRunner): AsyncGenerator<{ kind: 'evidence' | 'covers'; names: string[] }> {
  for await (const id of idsOf(
    trx,
    (after) =>
      sql<{ id: string }>`
      select id::text as id from evidence_files where id > ${after ?? noUuid}::uuid order by evidence_files.id
       limit ${namesAtOnce}`,
  ))
    yield { kind: 'evidence', names: [id] }
  for await (const hash of idsOf(
    trx,
    (after) =>
      sql<{ id: string }>`select hash as id from covers where hash > ${after ?? ''} order by hash limit ${namesAtOnce}`,
  ))
    yield { kind: 'covers', names: coverWidths.map((width) => coverFile(hash, width)) }
}

const noUuid = '00000000-0000-0000-0000-000000000000'

async function* idsOf(
  trx: SqlRunner,
  after: (last: string | undefined) => ReturnType<typeof sql<{ id: string }>>,
): AsyncGenerator<string> {
  let last: string | undefined
  for (;;) {
    const { rows } = await after(last).execute(trx)
    if (rows.length === 0) return
    for (const { id } of rows) yield id
    last = rows.at(-1)?.id
  }
}

/** Undefined for a file that is lost. */
async function piecesOf({ evidence }: BackedUp, name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    return await evidence.read(name)
  } catch (error) {
    if (isAppError(error) && error.code === 'evidence.lost') return undefined
    throw error
  }
}
