import type { NoticesApp } from '../app.ts'
import { reconcileJournal } from './reconcile-journal.server.ts'

const everyMs = 60_000

/**
 * Reconciles the journal of this process's data directory every minute (docs/spec/notices.md#journal). No job does: it would fall to
 * one of several processes, and a restore may begin with the journal of any of them.
 * @returns how to stop
 */
export function keepJournal(app: NoticesApp): () => Promise<void> {
  let underway = Promise.resolve()
  const reconcile = (): Promise<void> =>
    reconcileJournal(app).catch((error: unknown) =>
      app.log.error({ err: error }, 'The journal of removals could not be compared with the database.'),
    )
  const timer = setInterval(() => {
    underway = underway.then(reconcile)
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underway
  }
}
