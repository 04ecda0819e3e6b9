import { sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import { type AuditAnchor, type AuditAnchors, isStartVouchedFor, readAnchors } from './audit-anchors.server.ts'
import { type AuditRow, chainHash } from './audit-chain.server.ts'

/** Something of the log is not as it was written. */
export interface AuditFault {
  /** Where in the chain; null for an event that has no place in it. */
  position: number | null
  sentence: string
}

export interface AuditVerdict {
  /** How many events the chain holds. */
  events: number
  /** The first twenty. */
  faults: AuditFault[]
  /** How many heads of the chain were noted outside of the database. */
  anchors: number
}

const batchSize = 1_000
const maxFaults = 20
/** How often the check begins anew because events were deleted under it, whose time was over. */
const maxTries = 3

/**
 * Computes every hash of the audit log anew and compares the chain with its anchors (docs/spec/security.md#audit-log). It
 * reads in batches and holds no lock; events that are written meanwhile are left to the next check.
 */
export async function verifyAuditLog(app: Pick<AccountsApp, 'db' | 'config' | 'clock'>): Promise<AuditVerdict> {
  for (let tries = 1; ; tries += 1) {
    // The heads first: what is anchored later may lie beyond the head that is read now.
    const noted = await readAnchors(app.config)
    const head = await readHead(app)
    if (head === undefined) {
      const faults = [{ position: null, sentence: 'The head of the chain is gone.' }]
      return { events: 0, faults, anchors: noted.anchors.length }
    }
    // The starts after it: events may have been deleted in between.
    const { starts } = await readAnchors(app.config)
    const verdict = await new Verification(app, head, { ...noted, starts }).run()
    if ((await readHead(app))?.firstPosition === head.firstPosition || tries === maxTries) return verdict
  }
}

interface Head {
  firstPosition: number
  previousHash: Uint8Array
  position: number
  hash: Uint8Array
}

async function readHead({ db }: Pick<AccountsApp, 'db'>): Promise<Head | undefined> {
  const head = await db.selectFrom('audit_head').selectAll().executeTakeFirst()
  if (head === undefined) return undefined
  return {
    firstPosition: Number(head.first_position),
    previousHash: head.previous_hash,
    position: Number(head.position),
    hash: head.hash,
  }
}

type ChainRow = { position: string; hash: Uint8Array } & { [Column in keyof AuditRow]: AuditRow[Column] | null }

class Verification {
  readonly #app: Pick<AccountsApp, 'db' | 'config' | 'clock'>
  readonly #head: Head
  readonly #noted: AuditAnchors
  readonly #anchorAt: ReadonlyMap<number, AuditAnchor>
  readonly #faults: AuditFault[] = []
  /** The last anchor that the chain still goes through, and whether one was missed. */
  #lastGoodAnchor: AuditAnchor | undefined
  #isRewritten = false

  constructor(app: Pick<AccountsApp, 'db' | 'config' | 'clock'>, head: Head, noted: AuditAnchors) {
    this.#app = app
    this.#head = head
    this.#noted = noted
    // Of two at one position the older holds.
    const all = [...noted.anchors, ...noted.starts].toSorted((a, b) => b.at.localeCompare(a.at))
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
    return { events, faults: this.#faults, anchors: this.#noted.anchors.length }
  }

  async #walk(): Promise<{ position: number; hash: Uint8Array }> {
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

  #check(row: ChainRow, last: { position: number; hash: Uint8Array }): { position: number; hash: Uint8Array } {
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
    return { position, hash: row.hash }
  }

  #checkAnchor(position: number, hash: Uint8Array): void {
    const anchor = this.#anchorAt.get(position)
    if (anchor === undefined || this.#isRewritten) return
    if (Buffer.from(hash).toString('hex') === anchor.hash) {
      this.#lastGoodAnchor = anchor
      return
    }
    this.#isRewritten = true
    const since =
      this.#lastGoodAnchor === undefined ? '' : ` Up to position ${this.#lastGoodAnchor.position} it is as it was.`
    this.#say(
      position,
      `The chain was written anew: position ${position} is not what was anchored at ${anchor.at}.${since}`,
    )
  }

  /** Events are deleted at the beginning when their time is over; that is noted before. */
  #checkStart(): void {
    const { firstPosition, previousHash: hash } = this.#head
    if (isStartVouchedFor(this.#noted, { position: firstPosition - 1, hash }, this.#app)) return
    if (this.#noted.isMissing) {
      this.#say(
        null,
        `There is no file of anchors in the data directory, so nothing says whether the chain may begin at position ${firstPosition}.`,
      )
      return
    }
    this.#say(
      firstPosition - 1,
      `The beginning was cut: the chain begins at position ${firstPosition}, and no anchor says that the events before it were deleted in their time.`,
    )
  }

  #checkEnd({ position, hash }: { position: number; hash: Uint8Array }): void {
    const head = this.#head
    if (position !== head.position || !Buffer.from(hash).equals(head.hash)) {
      this.#say(position, `The chain ends at position ${position}; its head says ${head.position}, or another hash.`)
    }
    const beyond = this.#noted.anchors.find((anchor) => anchor.position > position)
    if (beyond !== undefined) {
      this.#say(
        position + 1,
        `The end was cut: the chain ends at position ${position}, and position ${beyond.position} was anchored at ${beyond.at}.`,
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

  #say(position: number | null, sentence: string): void {
    if (this.#faults.length < maxFaults) this.#faults.push({ position, sentence })
  }
}
