import { sql } from 'kysely'
import type { OfficeApp } from '../app.ts'
import {
  type AuditAnchor,
  type AuditAnchors,
  isStartVouchedFor,
  readAnchors,
  type RestoredBackup,
} from './audit-anchors.server.ts'
import { type AuditRow, chainHash } from './audit-chain.server.ts'

/** Something of the log is not as it was written. */
export interface AuditFault {
  /** The position in the chain; null for an event without one. */
  position: number | null
  sentence: string
  /** Whether the restoring of a backup leaves this fault. */
  isOfBackup?: true
}

/** How far the chain goes through its anchors. */
export interface AnchoredChain {
  position: number
  /** Hexadecimal. */
  hash: string
  /** The last position that was anchored and is not in the chain any more. */
  anchored: number
  /** Later positions may be unchanged as well: no anchor between proves it. */
  isAtLeast: boolean
  /** The position of another server's record of a restored backup that explains it. */
  recordedAt: number | undefined
}

export interface AuditVerdict {
  /** How many events the chain holds. */
  events: number
  /** The first twenty. */
  faults: AuditFault[]
  /** How many heads of the chain were recorded outside of the database. */
  anchors: number
  anchored: AnchoredChain
  /** The operator's records of restored backups. */
  restored: RestoredBackup[]
}

const batchSize = 1_000
const maxFaults = 20
/** How often the check begins anew because events were deleted under it, whose time was over. */
const maxTries = 3

/**
 * Computes every hash of the audit log anew and compares the chain with its anchors (docs/spec/security.md#audit-log). It
 * reads in batches and holds no lock; events that are written meanwhile are left to the next check.
 */
export async function verifyAuditLog(app: Pick<OfficeApp, 'db' | 'config' | 'clock'>): Promise<AuditVerdict> {
  for (let tries = 1; ; tries += 1) {
    // The heads first: what is anchored later may lie beyond the head that is read now.
    const recorded = await readAnchors(app.config)
    const head = await readHead(app)
    if (head === undefined) {
      const faults = [{ position: null, sentence: 'The head of the chain is gone.' }]
      const anchored = {
        position: 0,
        hash: '',
        anchored: lastPosition(recorded),
        isAtLeast: true,
        recordedAt: undefined,
      }
      return { events: 0, faults, anchors: recorded.anchors.length, anchored, restored: recorded.restored }
    }
    // The starts after it: events may have been deleted in between.
    const { starts } = await readAnchors(app.config)
    const verdict = await new Verification(app, head, { ...recorded, starts }).run()
    if ((await readHead(app))?.firstPosition === head.firstPosition || tries === maxTries) return verdict
  }
}

function lastPosition({ anchors }: AuditAnchors): number {
  return Math.max(0, ...anchors.map(({ position }) => position))
}

interface Head {
  firstPosition: number
  previousHash: Buffer
  position: number
  hash: Buffer
}

async function readHead({ db }: Pick<OfficeApp, 'db'>): Promise<Head | undefined> {
  const head = await db.selectFrom('audit_head').selectAll().executeTakeFirst()
  if (head === undefined) return undefined
  return {
    firstPosition: Number(head.first_position),
    previousHash: Buffer.from(head.previous_hash),
    position: Number(head.position),
    hash: Buffer.from(head.hash),
  }
}

interface ChainEnd {
  position: number
  hash: Buffer
}

type ChainRow = { position: string; hash: Uint8Array } & { [Column in keyof AuditRow]: AuditRow[Column] | null }

class Verification {
  readonly #app: Pick<OfficeApp, 'db' | 'config' | 'clock'>
  readonly #head: Head
  readonly #recorded: AuditAnchors
  readonly #anchorAt: ReadonlyMap<number, AuditAnchor>
  readonly #faults: AuditFault[] = []
  /** The last anchor that the chain still goes through, and whether one was missed. */
  #lastGoodAnchor: AuditAnchor | undefined
  #isRewritten = false
  /** The positions of the anchors that the chain does not go through. */
  readonly #lost: number[] = []
  /** The chain's own records of restored backups: their positions, and the positions that they name. */
  readonly #recordedInChain: { recordedAt: number; position: number }[] = []

  constructor(app: Pick<OfficeApp, 'db' | 'config' | 'clock'>, head: Head, recorded: AuditAnchors) {
    this.#app = app
    this.#head = head
    this.#recorded = recorded
    // The older of two at one position holds.
    const all = [...recorded.anchors, ...recorded.starts, ...recorded.restored].toSorted((a, b) =>
      b.at.localeCompare(a.at),
    )
    this.#anchorAt = new Map(all.map((anchor) => [anchor.position, anchor]))
  }

  async run(): Promise<AuditVerdict> {
    const { firstPosition, previousHash } = this.#head
    this.#checkStart()
    this.#checkAnchor(firstPosition - 1, previousHash)
    const end = await this.#walk()
    this.#checkEnd(end)
    await this.#findUnchained()
    const events = Math.max(0, end.position - firstPosition + 1)
    const { anchors, restored } = this.#recorded
    const anchored = await this.#anchoredPart(end)
    return { events, faults: this.#faults, anchors: anchors.length, anchored, restored }
  }

  /**
   * The position after which a restored backup lacks the chain. Another server may have recorded it in the log, and
   * knows it better: its event stands behind the last anchor that holds, and names a position before the first that
   * does not.
   */
  async #anchoredPart(end: ChainEnd): Promise<AnchoredChain> {
    const { firstPosition, previousHash } = this.#head
    const good = this.#lastGoodAnchor ?? { position: firstPosition - 1, hash: previousHash.toString('hex') }
    const firstLost = Math.min(...this.#lost)
    const anchored = this.#lost.length === 0 ? lastPosition(this.#recorded) : Math.max(...this.#lost)
    const recorded = this.#recordedInChain.find((one) => one.recordedAt > good.position && one.position < firstLost)
    if (this.#lost.length > 0 && recorded !== undefined) {
      const position = Math.max(recorded.position, good.position)
      const hash = await this.#hashAt(position)
      if (hash !== undefined) return { position, hash, anchored, isAtLeast: false, recordedAt: recorded.recordedAt }
    }
    if (this.#isRewritten)
      return { position: good.position, hash: good.hash, anchored, isAtLeast: true, recordedAt: undefined }
    return {
      position: end.position,
      hash: end.hash.toString('hex'),
      anchored,
      isAtLeast: false,
      recordedAt: undefined,
    }
  }

  async #hashAt(position: number): Promise<string | undefined> {
    if (position === this.#head.firstPosition - 1) return this.#head.previousHash.toString('hex')
    const place = await this.#app.db
      .selectFrom('audit_chain')
      .select('hash')
      .where('position', '=', String(position))
      .executeTakeFirst()
    return place && Buffer.from(place.hash).toString('hex')
  }

  async #walk(): Promise<ChainEnd> {
    let last = { position: this.#head.firstPosition - 1, hash: this.#head.previousHash }
    for (;;) {
      const rows = await this.#readAfter(last.position)
      for (const row of rows) last = this.#check(row, last)
      if (rows.length < batchSize) return last
    }
  }

  async #readAfter(position: number): Promise<ChainRow[]> {
    const { rows } = await sql<ChainRow>`
      select c.position, c.hash, e.id,
             to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
             e.action, e.actor, e.actor_id, e.subject, e.subject_id, e.details::text as details
        from audit_chain c left join audit_events e on e.id = c.event_id
       where c.position > ${position} and c.position <= ${this.#head.position}
       order by c.position limit ${batchSize}`.execute(this.#app.db)
    return rows
  }

  #check(row: ChainRow, last: ChainEnd): ChainEnd {
    const position = Number(row.position)
    if (position !== last.position + 1) this.#say(last.position + 1, `Position ${last.position + 1} is missing.`)
    else if (row.id === null) this.#say(position, `The event at position ${position} is gone.`)
    else if (!chainHash(last.hash, row as AuditRow).equals(row.hash)) {
      this.#say(
        position,
        `Position ${position} does not follow from the one before it: the event there, or a hash of the two, was changed.`,
      )
    }
    this.#checkAnchor(position, row.hash)
    if (row.action === 'log.restored' && row.details !== null) {
      const { position: upTo } = JSON.parse(row.details) as { position?: unknown }
      if (typeof upTo === 'number' && upTo < position)
        this.#recordedInChain.push({ recordedAt: position, position: upTo })
    }
    return { position, hash: Buffer.from(row.hash) }
  }

  #checkAnchor(position: number, hash: Uint8Array): void {
    const anchor = this.#anchorAt.get(position)
    if (anchor === undefined) return
    if (Buffer.from(hash).toString('hex') === anchor.hash) {
      if (!this.#isRewritten) this.#lastGoodAnchor = anchor
      return
    }
    this.#lost.push(position)
    if (this.#isRewritten) return
    this.#isRewritten = true
    const since =
      this.#lastGoodAnchor === undefined ? '' : ` Up to position ${this.#lastGoodAnchor.position} it is as it was.`
    this.#say(
      position,
      `The chain was written anew: position ${position} is not what was anchored at ${anchor.at}.${since}`,
      true,
    )
  }

  /** Events are deleted at the beginning when their time is over; that is recorded before. */
  #checkStart(): void {
    const { firstPosition, previousHash: hash } = this.#head
    if (isStartVouchedFor(this.#recorded, { position: firstPosition - 1, hash }, this.#app)) return
    if (this.#recorded.isMissing) {
      this.#say(
        null,
        `There is no file of anchors in the data directory, so nothing says whether the chain may begin at position ${firstPosition}.`,
      )
      return
    }
    const later = this.#recorded.starts.find(({ position }) => position >= firstPosition)
    if (later !== undefined) {
      this.#say(
        firstPosition - 1,
        `The chain begins at position ${firstPosition}, but the events up to position ${later.position} were deleted in their time.`,
        true,
      )
      return
    }
    this.#say(
      firstPosition - 1,
      `The beginning was cut: the chain begins at position ${firstPosition}, and no anchor says that the events before it were deleted in their time.`,
    )
  }

  #checkEnd({ position, hash }: ChainEnd): void {
    const head = this.#head
    if (position !== head.position || !hash.equals(head.hash)) {
      this.#say(position, `The chain ends at position ${position}; its head says ${head.position}, or another hash.`)
    }
    const beyond = this.#recorded.anchors.find((anchor) => anchor.position > position)
    this.#lost.push(
      ...this.#recorded.anchors.map((anchor) => anchor.position).filter((anchored) => anchored > position),
    )
    if (beyond !== undefined) {
      this.#say(
        position + 1,
        `The end was cut: the chain ends at position ${position}, and position ${beyond.position} was anchored at ${beyond.at}.`,
        true,
      )
      return
    }
    // That a backup was restored is itself an event, behind the last one of the backup.
    const restored = this.#recorded.restored.find((backup) => backup.position >= position)
    if (restored !== undefined) {
      this.#lost.push(restored.position + 1)
      this.#say(
        position + 1,
        `The end was cut: the chain ends at position ${position}, and at ${restored.at} a restored backup was recorded at position ${restored.position + 1}, or behind it.`,
        true,
      )
    }
  }

  /** Events that were written past the trigger. */
  async #findUnchained(): Promise<void> {
    const { rows } = await sql<{ id: string; recorded_at: Date }>`
      select e.id, e.recorded_at from audit_events e
       where not exists (select from audit_chain c where c.event_id = e.id)
       order by e.recorded_at, e.id limit ${maxFaults}`.execute(this.#app.db)
    for (const { id, recorded_at: at } of rows) {
      this.#say(null, `The event ${id} of ${at.toISOString()} has no place in the chain.`)
    }
    // In one statement: the chain grows while it is looked at.
    const outside = await sql<{ position: string; event_id: string }>`
      select c.position, c.event_id from audit_chain c cross join audit_head h
       where c.position < h.first_position or c.position > h.position
       order by c.position limit ${maxFaults}`.execute(this.#app.db)
    for (const { position, event_id: id } of outside.rows) {
      this.#say(Number(position), `The event ${id} stands at position ${position}, outside of the chain.`)
    }
  }

  #say(position: number | null, sentence: string, isOfBackup?: true): void {
    if (this.#faults.length < maxFaults)
      this.#faults.push({ position, sentence, ...(isOfBackup === undefined ? {} : { isOfBackup }) })
  }
}
