import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import type { OfficeApp } from '../app.ts'

/* The head of the audit log, anchored outside of the database: in a file of the data directory, and in the log.
   With the database alone one can forge the whole chain, but not its anchors (docs/operating.md#audit-log). */

export interface AuditAnchor {
  position: number
  /** Hexadecimal. */
  hash: string
  /** ISO text. */
  at: string
}

/** The operator has said that a backup was restored, whose chain ended here. */
export interface RestoredBackup extends AuditAnchor {
  /** The last position that was anchored before. */
  anchored: number
  /** An account of the operating system. */
  by: string
}

export interface AuditAnchors {
  /** Heads of the chain, in the order in which they were recorded. */
  anchors: AuditAnchor[]
  restored: RestoredBackup[]
  /** Heads of the chain that a restored backup has left behind. They stay: they show the loss. */
  superseded: AuditAnchor[]
  /**
   * The starts that the site itself gave the chain, at its first start and before each deletion: the position before
   * the first event, with its hash.
   */
  starts: AuditAnchor[]
  /** Nothing was ever recorded in this data directory, or the file is gone. */
  isMissing: boolean
}

const dayMs = 86_400_000

/** After this time the anchors of every minute are thinned out to one a day. */
const everyMinuteForMs = 30 * dayMs

export function auditAnchorsFile({ dataDir }: Pick<OfficeApp['config'], 'dataDir'>): string {
  return join(dataDir, 'audit-anchors.jsonl')
}

/** Reads the file; there is none before the first start. A line that a power cut has torn says nothing. */
export async function readAnchors(config: Pick<OfficeApp['config'], 'dataDir'>): Promise<AuditAnchors> {
  const recorded: AuditAnchors = { anchors: [], starts: [], restored: [], superseded: [], isMissing: false }
  try {
    const lines = createInterface({ input: createReadStream(auditAnchorsFile(config)), crlfDelay: Infinity })
    for await (const line of lines) {
      const { position, hash, at, isStart = false, anchored, by = '' } = parsed(line) ?? {}
      if (position === undefined || hash === undefined || at === undefined) continue
      if (anchored !== undefined) {
        recorded.superseded.push(...recorded.anchors.filter((anchor) => anchor.position > position))
        recorded.anchors = recorded.anchors.filter((anchor) => anchor.position <= position)
        recorded.restored = recorded.restored.filter((earlier) => earlier.position <= position)
        recorded.restored.push({ position, hash, at, anchored, by })
      } else if (isStart) recorded.starts.push({ position, hash, at })
      else recorded.anchors.push({ position, hash, at })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    recorded.isMissing = true
  }
  return recorded
}

interface RecordedLine extends Partial<RestoredBackup> {
  isStart?: boolean
}

function parsed(line: string): RecordedLine | undefined {
  try {
    return JSON.parse(line) as RecordedLine
  } catch {
    return undefined
  }
}

/** Notes the head of the chain if it has moved: at the start, every minute, and when the process stops. */
export async function anchorAuditLog({
  db,
  config,
  log,
  clock,
}: Pick<OfficeApp, 'db' | 'config' | 'log' | 'clock'>): Promise<void> {
  const head = await db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
  const position = Number(head.position)
  await beginAnchors({ config, clock }, { position: Number(head.first_position) - 1, hash: head.previous_hash })
  const last = await lastAnchor(config)
  if (position === 0 || (last?.position ?? 0) >= position) return
  const hash = hexOf(head.hash)
  await append(config, { position, hash, at: new Date(clock.now()).toISOString() })
  log.info({ position, hash }, 'The audit log is anchored.')
}

export interface ChainPlace {
  position: number
  hash: Uint8Array
}

/** The file begins with what the chain continues: on a new site position 0. */
export async function beginAnchors(app: Pick<OfficeApp, 'config' | 'clock'>, start: ChainPlace): Promise<void> {
  const { isMissing } = await readAnchors(app.config)
  if (isMissing) await recordAuditStart(app, start)
}

/** Notes what the chain continues from now on, because the events up to there are deleted; before they are. */
export function recordAuditStart(
  { config, clock }: Pick<OfficeApp, 'config' | 'clock'>,
  { position, hash }: ChainPlace,
): Promise<void> {
  return append(config, { position, hash: hexOf(hash), at: new Date(clock.now()).toISOString(), isStart: true })
}

/** Notes that a backup was restored: what was anchored behind it no longer counts. */
export function recordRestoredBackup(
  { config, clock }: Pick<OfficeApp, 'config' | 'clock'>,
  backup: Omit<RestoredBackup, 'at'>,
): Promise<void> {
  return append(config, { ...backup, at: new Date(clock.now()).toISOString() })
}

/**
 * Whether the site itself has let the chain begin here. The very first event continues nothing. Another instance may have
 * deleted events and have recorded it in its own directory: what was anchored in this one so long ago that its time is over
 * may be gone.
 */
export function isStartVouchedFor(
  { anchors, starts }: AuditAnchors,
  { position, hash }: ChainPlace,
  { config, clock }: Pick<OfficeApp, 'config' | 'clock'>,
): boolean {
  if (position === 0) return hexOf(hash) === createHash('sha256').digest('hex')
  if (starts.some((start) => start.position === position && start.hash === hexOf(hash))) return true
  const oldest = clock.now() - (config.auditDays - 1) * dayMs
  return anchors.some((anchor) => anchor.position >= position && Date.parse(anchor.at) <= oldest)
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

async function append(config: Pick<OfficeApp['config'], 'dataDir'>, line: RecordedLine): Promise<void> {
  await makePrivateFolder(config.dataDir)
  await using file = await open(auditAnchorsFile(config), 'a', 0o600)
  const { size } = await file.stat()
  // After a line that was torn a new one begins.
  const isTorn = size > 0 && (await endOf(config, 1)) !== '\n'
  await file.write(`${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`)
  await file.sync()
}

const longestTail = 4_096

async function lastAnchor(config: Pick<OfficeApp['config'], 'dataDir'>): Promise<RecordedLine | undefined> {
  const lines = (await endOf(config, longestTail)).split('\n')
  return lines.map(parsed).findLast((line) => line?.position !== undefined && line.isStart !== true)
}

/** The last bytes of the file; '' without one. */
async function endOf(config: Pick<OfficeApp['config'], 'dataDir'>, bytes: number): Promise<string> {
  let file
  try {
    file = await open(auditAnchorsFile(config), 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
  try {
    const { size } = await file.stat()
    const length = Math.min(bytes, size)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString()
  } finally {
    await file.close()
  }
}

/**
 * Drops the anchors of deleted events, and of old days all but the last. Which events are deleted is believed of the site's
 * own notes alone: whoever has replaced the log in the database would have the anchors dropped that show it.
 */
export async function thinOutAnchors(
  { config, clock }: Pick<OfficeApp, 'config' | 'clock'>,
  { firstPosition }: { firstPosition: number },
): Promise<void> {
  const { anchors, starts, restored, superseded } = await readAnchors(config)
  const recent = new Date(clock.now() - everyMinuteForMs).toISOString()
  const deletedUpTo = Math.min(firstPosition - 1, Math.max(0, ...starts.map(({ position }) => position)))
  const isPresent = ({ position }: AuditAnchor): boolean => position >= deletedUpTo
  const keptStarts = starts.filter(isPresent)
  const kept = anchors.filter(
    (anchor, place) =>
      isPresent(anchor) && (anchor.at >= recent || anchors[place + 1]?.at.slice(0, 10) !== anchor.at.slice(0, 10)),
  )
  if (kept.length === anchors.length && keptStarts.length === starts.length) return
  // A restored backup supersedes what stands before it.
  const lines = [...keptStarts.map((start) => ({ ...start, isStart: true })), ...superseded, ...restored, ...kept]
  const fresh = `${auditAnchorsFile(config)}.new`
  await writeFile(fresh, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600, flush: true })
  await rename(fresh, auditAnchorsFile(config))
}
