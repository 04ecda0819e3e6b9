import { defineError, tryLater } from '../platform/errors.ts'
import { FairQueue } from '../platform/fair-queue/fair-queue.ts'

export const siteBusy = defineError({
  code: 'site.busy',
  status: 503,
  sentence: 'Very many people ask for something at this moment. Please try again in a few seconds.',
  remedy: tryLater,
  retryAfterSeconds: 3,
  isCounted: true,
})

/** The queue of pages and lists that nobody keeps: each costs milliseconds of the one thread that answers everything. */
export function openRendering(): FairQueue {
  return new FairQueue({
    // Running work mostly waits for the database, which does ten at once; cached answers go out in between.
    atOnce: 8,
    // Two seconds of work, about.
    maxWaiting: 500,
    maxWaitMs: 3_000,
    // One address or member never has all places: others find one, and nothing waits while they are alone.
    perAccount: 6,
    perAddress: 6,
    perNetwork: 6,
    hasLaneForAccounts: true,
    isOfMainThread: true,
    placesForMs: 500,
    endsWithRequest: true,
    busy: siteBusy,
  })
}
