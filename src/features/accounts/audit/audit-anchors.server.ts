import { createReadStream } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AccountsApp } from '../app.ts'

/*
 * The head of the audit log, noted outside of the database: in a file of the data directory, and in the log. Whoever can
 * change the database can write the whole chain anew, but not what was anchored before (docs/operating.md#audit-log).
 */

/** The chain had this hash at this position. */
export interface AuditAnchor {
  position: number
  /** Hexadecimal. */
  hash: string
  /** ISO text. */
  at: string
}

export interface AuditAnchors {
  /** In the order in which they were noted. */
  anchors: AuditAnchor[]
  /** The furthest beginning that the site itself has given the chain; 1 before the first deletion. */
  start: number
}

/** What every minute has noted is thinned out to one anchor a day after this time. */
const everyMinuteForMs = 30 * 86_400_000

export function auditAnchorsFile({ dataDir }: Pick<AccountsApp['config'], 'dataDir'>): string {
  return join(dataDir, 'audit-anchors.jsonl')
}

/** Reads the file; there is none before the first anchor. A line that a power cut has torn says nothing. */
export async function readAnchors(config: Pick<AccountsApp['config'], 'dataDir'>): Promise<AuditAnchors> {
  const anchors: AuditAnchor[] = []
  let start = 1
  try {
    const lines = createInterface({ input: createReadStream(auditAnchorsFile(config)), crlfDelay: Infinity })
    for await (const line of lines) {
      const noted = parsed(line)
      if (noted?.start !== undefined) start = Math.max(start, noted.start)
      if (noted?.position !== undefined && noted.hash !== undefined && noted.at !== undefined)
        anchors.push({ position: noted.position, hash: noted.hash, at: noted.at })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return { anchors, start }
}

interface NotedLine {
  position?: number
  hash?: string
  at?: string
  start?: number
}

function parsed(line: string): NotedLine | undefined {
  try {
    return JSON.parse(line) as NotedLine
  } catch {
    return undefined
  }
}

/** Notes the head of the chain if it has moved: every minute, and when the process stops. */
export async function anchorAuditLog({
  db,
  config,
  log,
  clock,
}: Pick<AccountsApp, 'db' | 'config' | 'log' | 'clock'>): Promise<void> {
  const head = await db.selectFrom('audit_head').select(['position', 'hash']).executeTakeFirstOrThrow()
  const position = Number(head.position)
  const last = await lastAnchor(config)
  if (position === 0 || (last?.position ?? 0) >= position) return
  const hash = Buffer.from(head.hash).toString('hex')
  await append(config, { position, hash, at: new Date(clock.now()).toISOString() })
  log.info({ position, hash }, 'The audit log is anchored.')
}

/** Notes that events before this position are deleted because their time is over; before they are. */
export function noteAuditStart({ config, clock }: Pick<AccountsApp, 'config' | 'clock'>, start: number): Promise<void> {
  return append(config, { start, at: new Date(clock.now()).toISOString() })
}

async function append(config: Pick<AccountsApp['config'], 'dataDir'>, line: NotedLine): Promise<void> {
  await mkdir(config.dataDir, { recursive: true })
  const file = await open(auditAnchorsFile(config), 'a', 0o600)
  try {
    const { size } = await file.stat()
    // After a line that was torn a new one begins.
    const isTorn = size > 0 && (await endOf(config, 1)) !== '\n'
    await file.write(`${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const longestTail = 4_096

async function lastAnchor(config: Pick<AccountsApp['config'], 'dataDir'>): Promise<NotedLine | undefined> {
  const lines = (await endOf(config, longestTail)).split('\n')
  return lines.map(parsed).findLast((line) => line?.position !== undefined)
}

/** The last bytes of the file; '' without one. */
async function endOf(config: Pick<AccountsApp['config'], 'dataDir'>, bytes: number): Promise<string> {
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

/** Drops the anchors of deleted events, and of old days all but the last. */
export async function thinOutAnchors(
  { config, clock }: Pick<AccountsApp, 'config' | 'clock'>,
  { firstPosition }: { firstPosition: number },
): Promise<void> {
  const { anchors, start } = await readAnchors(config)
  const recent = new Date(clock.now() - everyMinuteForMs).toISOString()
  const kept = anchors.filter(({ position, at }, place) => {
    if (position < firstPosition - 1) return false
    return at >= recent || anchors[place + 1]?.at.slice(0, 10) !== at.slice(0, 10)
  })
  if (kept.length === anchors.length) return
  const lines = [...(start > 1 ? [{ start }] : []), ...kept].map((line) => `${JSON.stringify(line)}\n`)
  const fresh = `${auditAnchorsFile(config)}.new`
  await writeFile(fresh, lines.join(''), { mode: 0o600, flush: true })
  await rename(fresh, auditAnchorsFile(config))
}
