import { type Attempt, defineJob } from '../../../platform/jobs/job.ts'
import type { Invariant } from '../../office/contributions.ts'
import type { SiteApp } from '../app.ts'
import {
  allInvariants,
  brokenInWords,
  checkNextRows,
  type InvariantProgress,
  unchecked,
} from './check-invariant.server.ts'

type CheckingApp = Pick<SiteApp, 'db' | 'jobs' | 'clock' | 'log' | 'alarms'>

/** The step of the check: it goes on where the one before it ended. */
export const checkInvariantsJob = defineJob<{ begun?: Progress }>('site.check-invariants-step')

/** A step takes no longer: other work has its turn in between, and a stop waits for one at most. */
const stepMs = 10_000

/** Has the invariants of all features checked every night; before the jobs are prepared. */
export function scheduleInvariantChecks(app: CheckingApp): void {
  app.jobs.repeat('site.check-invariants', '11 5 * * *', () => app.jobs.add(app.db, checkInvariantsJob, {}))
  app.jobs.define(checkInvariantsJob, (data, attempt) => checkInvariants(app, data, attempt))
}

interface Progress extends InvariantProgress {
  name: string
}

/**
 * Checks for some seconds, and queues the rest. A broken invariant is recorded and raises an alarm, which ends when a
 * later check finds nothing.
 */
export async function checkInvariants(
  app: CheckingApp,
  { begun }: { begun?: Progress },
  { isStopping }: Pick<Attempt, 'isStopping'>,
  { invariants = allInvariants(), forMs = stepMs }: { invariants?: readonly Invariant[]; forMs?: number } = {},
): Promise<void> {
  const until = performance.now() + forMs
  // A step that an earlier version has left may name an invariant that there is no more.
  const first = begun === undefined ? 0 : invariants.findIndex(({ name }) => name === begun.name)
  if (first === -1) return
  let progress: InvariantProgress = begun ?? unchecked
  for (const invariant of invariants.slice(first)) {
    for (;;) {
      const step = await checkNextRows(app.db, invariant, progress)
      progress = step.progress
      if (step.isDone) break
      if (performance.now() > until || isStopping()) {
        await app.jobs.add(app.db, checkInvariantsJob, { begun: { ...progress, name: invariant.name } })
        return
      }
    }
    await saveResult(app, invariant, progress)
    progress = unchecked
  }
}

async function saveResult(
  { db, clock, log, alarms }: CheckingApp,
  invariant: Invariant,
  found: InvariantProgress,
): Promise<void> {
  const { broken, ids } = found
  const result = { checked_at: new Date(clock.now()), broken, ids: JSON.stringify(ids) }
  await db
    .insertInto('invariant_checks')
    .values({ name: invariant.name, ...result })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(result))
    .execute()
  const alarm = `invariant ${invariant.name}`
  const [first] = ids
  if (first === undefined) {
    await alarms.end(alarm)
    return
  }
  log.error({ invariant: invariant.name, broken, ids }, 'An invariant is broken.')
  alarms.raise({
    name: alarm,
    headline: invariant.headline,
    sentence: brokenInWords(invariant, found),
    advice: invariant.advice,
    ...(invariant.to === undefined ? {} : { to: invariant.to(first) }),
  })
}
