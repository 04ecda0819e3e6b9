import { hash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import { type JournalLine, applyLine, emptyState, type JournalState } from './journal-state.ts'
import { syncFolder } from '../../../platform/whole-file.ts'
import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { NoticesDatabase, NoticesTransaction } from '../app.ts'

export function journalFile({ dataDir }: { dataDir: string }): string {
  return join(dataDir, 'removals.jsonl')
}

/** The file cannot be read, or is not what the site has written: the start ends with this sentence. */
export class RemovalJournalError extends Error {}

export interface ReadJournal {
  state: JournalState
  /** How many lines it has; 0 where there is no file. */
  lines: number
  hash: string
  /** Bytes of a line that was not written to its end. */
  tornBytes: number
  /** Bytes up to the end of the last whole line. */
  size: number
}

interface Known extends ReadJournal {
  inode: number
  modifiedMs: number
}

/** Before the first line. */
const noHash = ''

/**
 * The journal of removals of one data directory: lines that are appended and never changed. Each holds its number and the hash
 * of the line before it. The file is read once; after that what was added to it.
 */
export class RemovalJournal {
  readonly path: string
  #known: Known | undefined
  /** One reads or writes at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(config: { dataDir: string }) {
    this.path = journalFile(config)
  }

  /**
   * The state of the journal, empty without a file. Only this class changes it.
   * @throws {RemovalJournalError} where the file cannot be read, or a line in it is not as it was written
   */
  read(): Promise<ReadJournal> {
    return this.#inTurn(() => this.#read())
  }

  /**
   * Appends lines; they are on the disk when this resolves. A torn line is cut off first. Processes that share a
   * directory take turns by the lock of the catalogue.
   */
  append(lines: readonly JournalLine[]): Promise<ReadJournal> {
    return this.#inTurn(async () => {
      const known = await this.#read()
      if (lines.length === 0 && known.tornBytes === 0) return known
      await makePrivateFolder(dirname(this.path))
      const file = await open(this.path, 'a', 0o600)
      try {
        if (known.tornBytes > 0) await file.truncate(known.size)
        let { lines: no, hash: previous } = known
        const texts = lines.map((line) => {
          no += 1
          const text = JSON.stringify({ no, previous, ...line })
          previous = hashOf(text)
          return `${text}\n`
        })
        if (texts.length > 0) await file.appendFile(texts.join(''))
        await file.sync()
      } finally {
        await file.close()
      }
      if (known.lines === 0) await syncFolder(dirname(this.path))
      return this.#read()
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #read(): Promise<Known> {
    const file = await this.#open()
    if (file === undefined) {
      this.#known = undefined
      return { state: emptyState(), lines: 0, hash: noHash, tornBytes: 0, size: 0, inode: 0, modifiedMs: 0 }
    }
    try {
      const now = await file.stat()
      const known = this.#known
      if (known !== undefined && isUnchanged(known, now)) return known
      // A file that has only grown is read on from the known end.
      const from = known !== undefined && known.inode === now.ino && now.size > known.size ? known : undefined
      this.#known = undefined
      this.#known = await this.#readOn(file, now, from)
      return this.#known
    } finally {
      await file.close()
    }
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      return await open(this.path, 'r')
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return undefined
      throw new RemovalJournalError(
        `The journal of removals ${this.path} cannot be read: ${message}. Give its owner the right to read and write it.`,
        { cause: error },
      )
    }
  }

  async #readOn(file: FileHandle, { size, ino, mtimeMs }: Stats, from: Known | undefined): Promise<Known> {
    const start = from?.size ?? 0
    const bytes = Buffer.alloc(size - start)
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    const whole = bytes.lastIndexOf(0x0a, filled - 1) + 1
    const state = from?.state ?? emptyState()
    let { lines, hash: previous } = from ?? { lines: 0, hash: noHash }
    for (let at = 0; at < whole;) {
      const end = bytes.indexOf(0x0a, at)
      const text = bytes.toString('utf8', at, end)
      const line = parsed(text)
      if (line === undefined || line.no !== lines + 1 || line.previous !== previous) throw this.#notAsWritten(lines + 1)
      applyLine(state, line)
      lines += 1
      previous = hashOf(text)
      at = end + 1
    }
    const tornBytes = filled - whole
    return { state, lines, hash: previous, tornBytes, size: start + whole, inode: ino, modifiedMs: mtimeMs }
  }

  #notAsWritten(line: number): RemovalJournalError {
    return new RemovalJournalError(
      `Line ${line} of the journal of removals ${this.path} is not as the site has written it. Put back a copy of the file that is whole. If there is none, move the file away: the site fills a new one from the database, and what only this file knew of stays on the site.`,
    )
  }
}

function isUnchanged({ size, tornBytes, inode, modifiedMs }: Known, now: Stats): boolean {
  return size + tornBytes === now.size && inode === now.ino && modifiedMs === now.mtimeMs
}

function parsed(text: string): (JournalLine & { no: number; previous: string }) | undefined {
  try {
    const line = JSON.parse(text) as unknown
    // The hash in the next line proves this one.
    return typeof line === 'object' && line !== null
      ? (line as JournalLine & { no: number; previous: string })
      : undefined
  } catch {
    return undefined
  }
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** The ends of the journals that the database knows, so that a cut journal is noticed. */
export interface KnownEnds {
  /** The end of this journal at its last write. */
  own: { lines: number; hash: string } | undefined
  /** How many others there are. */
  others: number
}

export async function readKnownEnds(
  db: Queryable<NoticesDatabase>,
  { state }: Pick<ReadJournal, 'state'>,
): Promise<KnownEnds> {
  const rows = await db.selectFrom('removal_journals').select(['id', 'lines', 'hash']).execute()
  const own = rows.find(({ id }) => id === state.journal)
  return { own, others: rows.length - (own === undefined ? 0 : 1) }
}

/** A longer journal is not cut: a restored backup may know only its beginning. */
export function isCutSince({ lines, hash }: Pick<ReadJournal, 'lines' | 'hash'>, { own }: KnownEnds): boolean {
  return own !== undefined && (lines < own.lines || (lines === own.lines && hash !== own.hash))
}

export async function recordEnd(
  trx: NoticesTransaction,
  { state, lines, hash }: Pick<ReadJournal, 'state' | 'lines' | 'hash'>,
): Promise<void> {
  if (state.journal === undefined) throw new Error('A journal of removals does not say which one it is.')
  await trx
    .insertInto('removal_journals')
    .values({ id: state.journal, lines, hash })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lines, hash, recorded_at: sql<Date>`now()` }))
    .execute()
}
