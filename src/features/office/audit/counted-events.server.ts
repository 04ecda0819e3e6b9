import { sql } from 'kysely'
import type { OfficeApp } from '../app.ts'
import type { AuditAction, AuditEvent } from './audit-event.ts'
import { recordAuditEvents } from './record-audit-event.server.ts'
import { requestOrigin } from './request-origin.server.ts'

/** Within this time one account has one event of a kind; the number in it says how often. */
const windowMs = 15 * 60_000
/** The first of a window waits so long for others, which are then written with it. */
const batchMs = 5_000
/** More accounts than this are not told apart at once. */
const maxHeld = 10_000
const maxLookedUp = 1_000
/** In a window so many accounts have events of their own. */
const maxEvents = 100
/** The most networks that an event names. */
const maxAddresses = 5

type CountedAction = Extract<AuditAction, 'session.refused' | 'factor.refused' | 'proof.refused' | 'limit.reached'>

interface CountedEvent {
  action: CountedAction
  /** The id or the folded address of an account, or the id of a device. For what belongs to none there is no event. */
  key: string
  /** The limit, which is counted apart beside the action. */
  limit?: string
}

interface Held extends CountedEvent {
  /** Since the last event. */
  times: number
  /** When the last one was. */
  lastAt: number
  addresses: Set<string>
  requestId: string | undefined
  dueAt: number
  /** In the window that began then. */
  window: { startedAt: number; times: number }
}

type Parts = Pick<OfficeApp, 'db' | 'log' | 'people'>

/**
 * Events that anybody can cause as often as they like. They are counted in memory and written in batches, so no caller
 * waits. An account has one event of a kind within 15 minutes, with their number; all accounts beyond the first hundred
 * share one (docs/decisions/2026-11-23-security-events.md).
 */
export class CountedEvents {
  readonly #parts: Parts
  readonly #now: () => number
  readonly #held = new Map<string, Held>()
  /** Counts of the accounts that share an event, by action. */
  readonly #others = new Map<CountedAction, number>()
  #written = { since: -Infinity, events: 0 }
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: Parts, now: () => number = () => performance.now()) {
    this.#parts = parts
    this.#now = now
  }

  /** @returns how many of these there were for this key since the beginning of its window */
  count(event: CountedEvent): number {
    const { address, requestId } = requestOrigin()
    const now = this.#now()
    const name = `${event.action} ${event.limit ?? ''} ${event.key}`
    this.#writeLater()
    let held = this.#held.get(name)
    if (held === undefined) {
      if (this.#held.size >= maxHeld) {
        this.#countOther(event.action, 1)
        return 1
      }
      const none = { times: 0, lastAt: now, addresses: new Set<string>(), requestId, dueAt: now }
      held = { ...event, ...none, window: { startedAt: now, times: 0 } }
      this.#held.set(name, held)
    }
    if (now - held.window.startedAt >= windowMs) held.window = { startedAt: now, times: 0 }
    held.times += 1
    held.lastAt = now
    held.window.times += 1
    held.requestId = requestId
    if (address !== undefined && held.addresses.size < maxAddresses) held.addresses.add(address)
    return held.window.times
  }

  /** Writes what its time has come for. Never rejects. */
  writeDue(): Promise<void> {
    return this.#writeSoon({ isAll: false })
  }

  /** Writes all that is counted, whether or not its time has come. While the database is away it stays counted. */
  async settle(): Promise<void> {
    for (let left = Infinity, pending = this.#pending(); pending > 0 && pending < left; pending = this.#pending()) {
      left = pending
      await this.#writeSoon({ isAll: true })
    }
  }

  /** Writes what is counted, and nothing after it. */
  async close(): Promise<void> {
    await this.settle()
    clearTimeout(this.#timer)
    this.#held.clear()
    this.#others.clear()
  }

  #pending(): number {
    return [...this.#held.values()].filter(({ times }) => times > 0).length + this.#others.size
  }

  #countOther(action: CountedAction, times: number): void {
    this.#others.set(action, (this.#others.get(action) ?? 0) + times)
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => void this.#writeAndGoOn(), batchMs).unref()
  }

  async #writeAndGoOn(): Promise<void> {
    this.#timer = undefined
    await this.writeDue()
    if (this.#held.size > 0 || this.#others.size > 0) this.#writeLater()
  }

  /** Never rejects. */
  #writeSoon(how: { isAll: boolean }): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(how))
    return this.#writing
  }

  async #write({ isAll }: { isAll: boolean }): Promise<void> {
    const now = this.#now()
    for (const [name, { times, dueAt }] of this.#held) if (times === 0 && dueAt <= now) this.#held.delete(name)
    const due = [...this.#held.values()]
      .filter(({ times, dueAt }) => times > 0 && (isAll || dueAt <= now))
      .slice(0, maxLookedUp)
    if (due.length === 0 && this.#others.size === 0) return
    const taken = due.map((held) => take(held, now))
    const others = new Map(this.#others)
    this.#others.clear()
    try {
      await this.#record(taken, others)
    } catch (error) {
      // They are written with what follows.
      for (const { held, times } of taken) {
        held.times += times
        held.dueAt = now
      }
      for (const [action, times] of others) this.#countOther(action, times)
      this.#parts.log.error({ err: error }, 'Events could not be written to the audit log.')
    }
  }

  async #record(taken: readonly Taken[], others: ReadonlyMap<CountedAction, number>): Promise<void> {
    const { db, people } = this.#parts
    const accounts = await people.findBehind(db, [...new Set(taken.map(({ held }) => held.key))])
    // Administrators all have events of their own, of the others those who have the most.
    const known = taken
      .flatMap((one) => {
        const account = accounts.get(one.held.key)
        return account === undefined ? [] : [{ ...one, ...account }]
      })
      .toSorted((a, b) => b.times - a.times)
    const now = this.#now()
    if (now - this.#written.since >= windowMs) this.#written = { since: now, events: 0 }
    // In the clock of the log, which also says when somebody has signed in.
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
    const logged = (rows[0]?.at.getTime() ?? 0) - this.#now()
    const room = Math.max(0, maxEvents - this.#written.events)
    const administrators = known.filter(({ isAdmin }) => isAdmin)
    const members = known.filter(({ isAdmin }) => !isAdmin)
    const events = [...administrators, ...members.slice(0, room)].map(
      ({ held: { action, limit }, id, times, lastAt, addresses, requestId }): AuditEvent => ({
        action,
        by: 'system',
        subject: { kind: 'member', id },
        details: {
          ...(limit === undefined ? {} : { limit }),
          times,
          lastAt: new Date(logged + lastAt).toISOString(),
          ...(addresses.length === 0 ? {} : { address: addresses }),
          ...(requestId === undefined ? {} : { requestId }),
        },
      }),
    )
    const rest = new Map([...others].map(([action, times]) => [action, { times, accounts: 0 }]))
    for (const { held, times } of members.slice(room)) {
      const sum = rest.get(held.action) ?? { times: 0, accounts: 0 }
      rest.set(held.action, { times: sum.times + times, accounts: sum.accounts + 1 })
    }
    for (const [action, { times, accounts: count }] of rest)
      events.push({ action, by: 'system', details: { times, ...(count === 0 ? {} : { furtherAccounts: count }) } })
    if (events.length === 0) return
    await db.transaction().execute((trx) => recordAuditEvents(trx, events))
    this.#written.events += Math.min(room, members.length)
  }
}

interface Taken {
  held: Held
  times: number
  lastAt: number
  addresses: string[]
  requestId: string | undefined
}

/** Later counts belong to the next event. */
function take(held: Held, now: number): Taken {
  const { times, lastAt, addresses, requestId } = held
  const taken = { held, times, lastAt, addresses: [...addresses], requestId }
  held.times = 0
  held.addresses.clear()
  held.dueAt = now + windowMs
  return taken
}
