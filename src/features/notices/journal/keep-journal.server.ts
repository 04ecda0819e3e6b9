import type { NoticesApp } from '../app.ts'
import { isDatabaseUnavailable } from '../../../platform/database-outages.ts'
import type { Alarm } from '../../office/alarms/alarms.server.ts'
import { reconcileJournal } from './reconcile-journal.server.ts'

const everyMs = 60_000

/**
 * Reconciles the journal of this process's data directory every minute (docs/spec/notices.md#journal). No job does: it would fall to
 * one of several processes, and a restore may begin with the journal of any of them.
 * @returns how to stop
 */
export function keepJournal(app: NoticesApp): () => Promise<void> {
  let underway: Promise<void> | undefined
  const reconcile = async (): Promise<void> => {
    try {
      await reconcileJournal(app)
      await app.alarms.end(alarmName)
    } catch (error) {
      // An outage of the database is told by itself.
      if (isDatabaseUnavailable(error)) return
      app.log.error({ err: error }, 'The journal of removals could not be compared with the database.')
      app.alarms.raise(alarmOf(error as Error))
    }
  }
  const timer = setInterval(() => {
    underway ??= reconcile().finally(() => (underway = undefined))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underway
  }
}

const alarmName = 'removals.unreadable'

function alarmOf({ message }: Error): Alarm {
  return {
    name: alarmName,
    headline: 'The journal of removals cannot be compared',
    sentence: `The journal of removals could not be compared with the database: ${message.replace(/\.?$/, '.')}`,
    advice:
      'It is tried again every minute. Until then a restore may bring back what was removed: look at `removals.jsonl` in DATA_DIR.',
  }
}
