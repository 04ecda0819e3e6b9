import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseCall } from '../db/call.ts'
import { isAppError } from './errors.ts'

export interface RequestFacts {
  /** As the answer has it in `x-request-id`, and the log. */
  readonly requestId: string
  /** The caller's network address, behind the proxies that are trusted. */
  readonly address: string
  /** As the database sees it, from the moment its route or page is known. */
  database?: DatabaseCall
  /** Aborted when its caller closes the connection before the answer is out. */
  readonly signal?: AbortSignal
  /** How to give back its part of limits. */
  taken?: (() => Promise<void>)[]
}

/*
 * One for the process: the launcher and the page bundle each hold a copy of this module
 * (docs/decisions/2026-11-23-security-events.md).
 */
const key = Symbol.for('daybook.current-request')
const held = globalThis as { [key]?: AsyncLocalStorage<RequestFacts> }
const requests = (held[key] ??= new AsyncLocalStorage<RequestFacts>())

/** Does this for a request: `currentRequest` finds it in everything that is awaited here. */
export function runForRequest<T>(facts: RequestFacts, work: () => T): T {
  return requests.run(facts, work)
}

/** The request that is being answered; undefined in a job, a command or a timer that began by itself. */
export function currentRequest(): RequestFacts | undefined {
  return requests.getStore()
}

/**
 * Remembers what the request has taken of a limit.
 * @returns how to give it back; the second time does nothing
 */
export function takenByRequest(giveBack: () => Promise<void>): () => Promise<void> {
  let isBack = false
  const once = async (): Promise<void> => {
    if (isBack) return
    isBack = true
    await giveBack()
  }
  const request = currentRequest()
  if (request !== undefined) (request.taken ??= []).push(once)
  return once
}

/** Returns what a failed request has taken of limits, where nothing was done (docs/spec/security.md#given-back). */
export async function giveBackTaken({ taken = [], database }: RequestFacts, error: unknown): Promise<void> {
  if (!isAppError(error) || !error.isNothingDone || database?.hasCommitted === true) return
  await Promise.all(taken.map((giveBack) => giveBack()))
}
