import { sql } from 'kysely'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { CatalogueApp } from '../app.ts'
import type { LinkState } from '../item/link-slots.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { recordLinkTarget } from '../removal/record-link-target.server.ts'
import { type DueLink, findDueLinks, type LinkChoice } from './due-links.server.ts'
import { gatherLinks } from './gather-links.server.ts'
import { takeLinkLease } from './link-lease.server.ts'
import { type Finding, pauseMs, stateAfter, verdictOf } from './link-outcome.ts'
import { ProbeStopped } from './link-probe.server.ts'
import { recordLinkChanges } from './record-link-changes.server.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/**
 * The job that continues the checks of links. Queue it to have them run at once; with the choice of an administrator, they
 * run where no links are checked by the clock too.
 */
export const checkMoreLinksJob = defineJob<{ requested?: 'due' | 'front' }>('catalogue.check-more-links')

export type LinkApp = Pick<CatalogueApp, 'db' | 'clock' | 'log' | 'linkProbe'>

/** How many links are looked at in one run, and how many of them at once. */
const linksInRun = 60
const atOnce = 4
/** A run begins no check after the first of these times, and ends those under way at the second. */
const beginForMs = 15_000
const endAfterMs = 23_000
/** When this many hosts do not answer, and none does, the network of this server is at fault. */
const silentHosts = 3
/** How many further hosts are asked before that is said, where no link is known to work. */
const furtherHosts = 10
/** How long nothing is tried when nothing could be reached. */
const resumeAfterMs = 10 * 60_000

export interface CheckRun {
  /** `busy`: another process is checking. `unreachable`: nothing out there can be reached, so nothing was counted. */
  end: 'done' | 'busy' | 'paused' | 'unreachable' | 'stopped'
  checked: Record<LinkState, number>
  /** Whether there may be more to do now. */
  isMore: boolean
}

/**
 * One short run: gathers what has changed, and checks the next links. It may be cut off at any moment; what is not written
 * is checked again. One process of all does it at a time.
 * @param waitsForNetwork does nothing during the ten minutes after a run that could reach no host
 */
export async function checkLinks(
  app: LinkApp,
  {
    choice = { kind: 'due' },
    waitsForNetwork = true,
    signal,
  }: { choice?: LinkChoice; waitsForNetwork?: boolean; signal?: AbortSignal } = {},
): Promise<CheckRun> {
  const checked: CheckRun['checked'] = { ok: 0, suspect: 0, dead: 0, unknown: 0 }
  const lease = await takeLinkLease(app)
  if (lease === undefined) return { end: 'busy', checked, isMore: false }
  try {
    const beganAt = performance.now()
    const isLate = (): boolean => performance.now() - beganAt > beginForMs || signal?.aborted === true
    if (!(await gatherLinks(app, isLate))) return { end: 'done', checked, isMore: true }
    if (waitsForNetwork && (await isWaiting(app))) return { end: 'paused', checked, isMore: false }
    const links = await findDueLinks(app, choice, linksInRun)
    if (links.length === 0) return { end: 'done', checked, isMore: false }
    if (!(await lease.renew())) return { end: 'busy', checked, isMore: false }

    const failed = new AbortController()
    const ends = [AbortSignal.timeout(endAfterMs), failed.signal, ...(signal === undefined ? [] : [signal])]
    const run = new Run(app, checked, AbortSignal.any(ends))
    const workThrough = async (queue: DueLink[]): Promise<void> => {
      const work = async (): Promise<void> => {
        while (!isLate() && !run.isOver) {
          const link = queue.shift()
          if (link === undefined) return
          // The first failure ends the checks under way: none goes on when the lease is given back.
          await run.check(link).catch((error: unknown) => failed.abort(error))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      failed.signal.throwIfAborted()
    }
    const queue = [...links]
    await workThrough(queue)
    await workThrough(await run.chooseFurther(queue))
    const isReached = await run.finish()
    if (isReached !== undefined) await saveReachability(app, isReached)
    if (isReached === false) return { end: 'unreachable', checked, isMore: false }
    if (run.isStopped) return { end: 'stopped', checked, isMore: false }
    const count = Object.values(checked).reduce((sum, number) => sum + number, 0)
    // A run that could write nothing leaves the rest to the next run by the clock.
    const isMore = count > 0 && (await findDueLinks(app, choice, 1)).length > 0
    return { end: signal?.aborted === true ? 'stopped' : 'done', checked, isMore }
  } finally {
    await lease.release()
  }
}

interface CheckedLink {
  link: DueLink
  finding: Finding
}

/** The links of one run, and what it has learned of the network. */
class Run {
  readonly #app: LinkApp
  readonly #checked: CheckRun['checked']
  readonly #signal: AbortSignal
  /** Links whose host gave no answer. They count as soon as it is known that the network is not at fault. */
  readonly #silent: CheckedLink[] = []
  readonly #paused = new Set<string>()
  #isAnswered = false
  #asksFurther = false
  #isStopped = false

  constructor(app: LinkApp, checked: CheckRun['checked'], signal: AbortSignal) {
    this.#app = app
    this.#checked = checked
    this.#signal = signal
  }

  get isOver(): boolean {
    return this.#signal.aborted || this.#isStopped || (this.#isInDoubt && !this.#asksFurther)
  }

  /** Whether the probe was closed meanwhile: this server stops. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Whether it seems that this server reaches nothing. */
  get #isInDoubt(): boolean {
    return !this.#isAnswered && this.#silentHosts() >= silentHosts
  }

  /**
   * Which links are to be checked although the first hosts were silent: one each of further hosts, where no link is known
   * to work that could be asked instead.
   * @param rest the links that were not checked
   */
  async chooseFurther(rest: readonly DueLink[]): Promise<DueLink[]> {
    if (!this.#isInDoubt || this.#signal.aborted || this.#isStopped) return []
    const asked = this.#silent.map(({ link }) => link.host)
    if ((await findWorkingLinks(this.#app, asked)).length > 0) return []
    this.#asksFurther = true
    const firstOfHost = new Map(rest.toReversed().map((link) => [link.host, link]))
    for (const host of asked) firstOfHost.delete(host)
    return rest.filter((link) => firstOfHost.get(link.host) === link).slice(0, furtherHosts)
  }

  async check(link: DueLink): Promise<void> {
    // Its host has asked for a pause during this run.
    if (this.#paused.has(link.host)) return
    const finding = await this.#probe(link.address)
    if (finding === undefined) return
    // No network is needed to know that.
    if (finding.reason === 'port') return this.#record({ link, finding })
    if (!finding.isAnswered) {
      this.#silent.push({ link, finding })
      return
    }
    this.#isAnswered = true
    if (finding.retryAfterSeconds !== undefined || verdictOf(finding) === 'later') {
      const host = finding.answeredBy ?? link.host
      this.#paused.add(host)
      await pauseHost(this.#app, host, pauseMs(finding.retryAfterSeconds))
    }
    await this.#record({ link, finding })
  }

  /**
   * Counts the silent ones, unless it is this server that reaches nothing.
   * @returns whether it reaches other hosts; undefined when the run has ended before that was known
   */
  async finish(): Promise<boolean | undefined> {
    if (!this.#isAnswered) {
      const isUp = this.#silent.length === 0 ? undefined : await this.#isNetworkUp()
      if (this.#isStopped) return undefined
      if (isUp !== true) {
        await moveBehind(
          this.#app,
          this.#silent.map(({ link }) => link.id),
        )
        return isUp
      }
    }
    for (const each of this.#silent) await this.#record(each)
    return true
  }

  /** No host has answered: whether another one does that has worked before; undefined when the run has ended before. */
  async #isNetworkUp(): Promise<boolean | undefined> {
    const others = await findWorkingLinks(
      this.#app,
      this.#silent.map(({ link }) => link.host),
    )
    const findings = await Promise.all(others.map(({ address }) => this.#probe(address)))
    if (findings.some((finding) => finding?.isAnswered === true)) return true
    if (this.#signal.aborted) return undefined
    if (others.length > 0 || this.#silentHosts() >= silentHosts) return false
    // With no other host to ask, a refusal still comes from outside; silence may be the fault of this network.
    const isRefusal = ({ finding }: CheckedLink): boolean =>
      ['no_such_host', 'reset', 'tls', 'protocol', 'refused'].includes(finding.reason)
    return this.#silent.every(isRefusal)
  }

  async #probe(address: string): Promise<Finding | undefined> {
    try {
      return await this.#app.linkProbe.check(address, this.#signal)
    } catch (error) {
      // It stays due.
      if (error instanceof ProbeStopped) {
        this.#isStopped ||= !this.#signal.aborted
        return undefined
      }
      // A defect of this program: the other links are checked all the same, and this one is not due again in every run.
      this.#app.log.error({ err: error, address }, 'A link could not be checked.')
      return { reason: 'protocol', status: null, isAnswered: false }
    }
  }

  async #record({ link, finding }: CheckedLink): Promise<void> {
    const state = await recordFinding(this.#app, link, finding)
    // The target of a failure is no file.
    if (state !== undefined && finding.finalAddress !== undefined && verdictOf(finding) === 'works')
      await recordLinkTarget(this.#app, link.address, finding.finalAddress)
    if (state !== undefined) this.#checked[state] += 1
  }

  #silentHosts(): number {
    return new Set(this.#silent.map(({ link }) => link.host)).size
  }
}

/** @returns the link's state; undefined when another check came first, or no item has it any more */
async function recordFinding(
  { db, clock }: Pick<LinkApp, 'db' | 'clock'>,
  link: DueLink,
  finding: Finding,
): Promise<LinkState | undefined> {
  const now = clock.now()
  const { state, failures, nextCheckAt } = stateAfter(link, finding, now)
  const isChange = state !== link.state
  return db.transaction().execute(async (trx) => {
    // First, as every writer does. An unchanged state raises no version and needs no lock.
    if (isChange) await lockCatalogue(trx)
    const written = await trx
      .updateTable('link_checks')
      .set({
        state,
        failures,
        reason: finding.reason,
        status: finding.status,
        checked_at: new Date(now),
        next_check_at: new Date(nextCheckAt),
        front_at: null,
        reported_at: null,
      })
      .where('id', '=', link.id)
      .where(sql<boolean>`checked_at is not distinct from ${isoOf(link.checkedAt)}::timestamptz`)
      .executeTakeFirst()
    if (written.numUpdatedRows === 0n) return undefined
    if (isChange) {
      const items = await trx.selectFrom('item_links').select('item_no').where('link_id', '=', link.id).execute()
      await recordLinkChanges(trx, [...new Set(items.map(({ item_no }) => item_no))])
    }
    return state
  })
}

/** Puts links behind all others that are due, so that the next run meets other hosts. Nothing else of them changes. */
async function moveBehind({ db, clock }: Pick<LinkApp, 'db' | 'clock'>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const now = sql<Date>`${isoOf(clock.now())}::timestamptz`
  await db
    .updateTable('link_checks')
    .set({
      next_check_at: sql<Date>`greatest(next_check_at, ${now})`,
      front_at: sql<Date>`case when front_at is not null then ${now} end`,
    })
    .where('id', 'in', ids)
    .execute()
}

async function pauseHost({ db, clock }: Pick<LinkApp, 'db' | 'clock'>, host: string, ms: number): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('paused_hosts').where('paused_until', '<=', new Date(now)).execute()
  const paused_until = new Date(now + ms)
  await db
    .insertInto('paused_hosts')
    .values({ host, paused_until })
    .onConflict((conflict) => conflict.column('host').doUpdateSet({ paused_until }))
    .execute()
}

/** Links of two other hosts that have worked, the latest first. */
async function findWorkingLinks({ db }: Pick<LinkApp, 'db'>, hosts: string[]): Promise<{ address: string }[]> {
  const { rows } = await sql<{ address: string }>`
    select address from (
      select distinct on (host) host, address, checked_at
        from (select host, address, checked_at from link_checks
               where state = 'ok' and host <> all(${hosts}::text[]) order by id limit 1000) working
       order by host, checked_at desc) latest
     order by checked_at desc limit 2`.execute(db)
  return rows
}

async function isWaiting({ db, clock }: Pick<LinkApp, 'db' | 'clock'>): Promise<boolean> {
  const work = await db.selectFrom('link_work').select('resume_at').executeTakeFirstOrThrow()
  return work.resume_at !== null && work.resume_at.getTime() > clock.now()
}

/** Saves whether any host can be reached, and logs it once when that changes. */
async function saveReachability(
  { db, clock, log }: Pick<LinkApp, 'db' | 'clock' | 'log'>,
  isReached: boolean,
): Promise<void> {
  const work = await db.selectFrom('link_work').select('unreachable_since').executeTakeFirstOrThrow()
  const since = work.unreachable_since
  if (isReached) {
    if (since === null) return
    await db.updateTable('link_work').set({ unreachable_since: null, resume_at: null }).execute()
    log.info('The checks of links reach other hosts again.')
    return
  }
  const now = clock.now()
  await db
    .updateTable('link_work')
    .set({ unreachable_since: since ?? new Date(now), resume_at: new Date(now + resumeAfterMs) })
    .execute()
  if (since === null)
    log.warn(
      'The checks of links reach no host: the network of this server seems to be at fault. No link is counted as dead for it.',
    )
}
