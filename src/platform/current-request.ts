import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseCall } from '../db/call.ts'

/** Which request something is done for. */
export interface RequestFacts {
  /** As the answer has it in `x-request-id`, and the log. */
  readonly requestId: string
  /** The caller's network address, behind the proxies that are trusted. */
  readonly address: string
  /** As the database sees it, from the moment its route or page is known. */
  database?: DatabaseCall
}

/*
 * One for the process: the launcher and the page bundle each hold a copy of this module
 * (docs/decisions/2026-11-23-security-events.md).
 */
const key = Symbol.for('daybook.current-request')
const held = globalThis as { [key]?: AsyncLocalStorage<RequestFacts> }
const requests = (held[key] ??= new AsyncLocalStorage<RequestFacts>())

/** Does this for a request: whatever is awaited in it is told of it by `currentRequest`. */
export function runForRequest<T>(facts: RequestFacts, work: () => T): T {
  return requests.run(facts, work)
}

/** The request that is being answered; undefined in a job, a command or a timer that began by itself. */
export function currentRequest(): RequestFacts | undefined {
  return requests.getStore()
}
