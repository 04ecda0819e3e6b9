import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Events that are for the eyes of safety officers alone (docs/spec/security.md#audit-secrecy). The mark is one of their details, so the
 * chain of hashes covers it.
 */

const marking = new AsyncLocalStorage<boolean>()

/** The mark, as a detail of an event. */
export const secrecyMark = { onlyFor: 'safety officers' } as const

/** Every event that is recorded while the work runs bears the mark, whichever feature records it. */
export function recordForSafetyOfficers<T>(isSecret: boolean, work: () => Promise<T>): Promise<T> {
  return isSecret ? marking.run(true, work) : work()
}

export function isForSafetyOfficers(): boolean {
  return marking.getStore() === true
}
