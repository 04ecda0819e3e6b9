import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDatabaseUnavailable } from '../platform/database-outages.ts'
import type { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { RefusalLog } from './refusal-log.ts'
import type { Traffic } from './traffic.ts'

/** Slower than this is worth a line. */
const slowMs = 500

/** Refused requests that have a line of their own in a minute; anybody can send as many as they like. */
const refusedLinesAMinute = 60
const minuteMs = 60_000

/**
 * The log of requests. It names the pattern of the route or page, never the address: an address holds tokens of reset
 * links, checkouts and mail addresses.
 */
export class RequestLog {
  readonly #log: () => Log
  readonly #traffic: Traffic
  readonly #refusals: RefusalLog
  /** Refused requests beyond the lines of their minute. */
  readonly #beyond: RefusalLog
  readonly #connections: RefusalLog
  #refusedLines = { since: -Infinity, count: 0 }
  /** Answers whose reason has a line of its own, such as a database that is away, or one line for many. */
  readonly #loggedElsewhere = new WeakSet<ServerResponse>()

  constructor(log: () => Log, traffic: Traffic) {
    this.#log = log
    this.#traffic = traffic
    this.#refusals = new RefusalLog(log)
    this.#beyond = new RefusalLog(log, { sentence: 'More requests were refused than have lines of their own.' })
    this.#connections = new RefusalLog(log, {
      sentence: 'Connections were closed: as many are open as this process may have (ulimit -n).',
    })
  }

  /** Whether every request has a line. */
  get isDetailed(): boolean {
    return this.#log().isLevelEnabled('debug')
  }

  /** Counts the request when it is done with, and writes one line: for what failed and what was slow, at level debug for all. */
  watch(request: IncomingMessage, response: ServerResponse, requestId: string, patternOf: () => string): void {
    const startedAt = performance.now()
    response.on('close', () => {
      const { statusCode: status } = response
      const passedMs = performance.now() - startedAt
      const ms = Math.round(passedMs)
      this.#traffic.observe(
        request.method ?? '',
        patternOf(),
        response.headersSent ? status : undefined,
        passedMs / 1_000,
      )
      const isWorth = status >= 400 || ms > slowMs
      const level = this.#loggedElsewhere.has(response) || !isWorth ? 'debug' : status >= 500 ? 'error' : 'info'
      const log = this.#log()
      if (level === 'info' && status >= 400 && !this.#hasLine()) {
        this.#beyond.count(`${status} ${patternOf()}`)
        return
      }
      if (log.isLevelEnabled(level)) log[level]({ requestId, method: request.method, path: patternOf(), status, ms })
    })
  }

  /** Whether a refused request may have a line; at level debug every request has one. */
  #hasLine(): boolean {
    if (this.isDetailed) return true
    const now = performance.now()
    if (now - this.#refusedLines.since >= minuteMs) this.#refusedLines = { since: now, count: 0 }
    this.#refusedLines.count += 1
    return this.#refusedLines.count <= refusedLinesAMinute
  }

  /** The line of this request, if any, is at level debug. */
  quiet(response: ServerResponse): void {
    this.#loggedElsewhere.add(response)
  }

  /** A request was refused on purpose: no defect. A flood of what `isCounted` must not flood the log. */
  refused(error: AppError, response: ServerResponse): void {
    if (error.isCounted) this.#refusals.count(error.code)
    if (error.isCounted || isDatabaseUnavailable(error)) this.#loggedElsewhere.add(response)
  }

  /** There was no room for a connection. */
  connectionRefused(): void {
    this.#connections.count('connections')
  }

  failed(error: unknown, pattern: string): void {
    this.#log().error({ err: error, path: pattern }, 'A request failed.')
  }

  /** Tells what has only been counted until now. */
  flush(): void {
    this.#refusals.write()
    this.#beyond.write()
    this.#connections.write()
  }
}
