import type { ReadinessCheck, ReadinessRemark } from '../http/health.ts'
import type { App } from './app.ts'

/** A probe is answered in time also where nothing else is. */
const databaseTimeoutMs = 2_000

/** The faults that keep this process from serving, in the order of the checks. */
export const readinessChecks: readonly ReadinessCheck<App>[] = [findFullDisk, findDatabaseFault]

/** The site is served without it, so no balancer may take this process out. */
export const readinessRemarks: readonly ReadinessRemark<App>[] = [
  ({ rehearsal }) => (rehearsal.isOn ? 'rehearsal: true' : undefined),
  // Reading goes on, on every instance alike.
  ({ diskSpace }) => (diskSpace.refusesWrites ? `writes: refused. ${diskSpace.sentence}` : undefined),
  ({ outages }) => (outages.lostWays.has('direct') ? 'no connection listens to the database' : undefined),
  ({ limits }) => (limits.isAlone ? 'Redis does not answer, each process counts its own limits' : undefined),
]

function findFullDisk({ diskSpace }: App): string | undefined {
  return diskSpace.isFull ? `${diskSpace.sentence} (writes: refused)` : undefined
}

async function findDatabaseFault({ db, log }: App): Promise<string | undefined> {
  const reason = 'the database does not answer'
  const requested = db
    .selectFrom('catalogue_state')
    .select('version')
    .executeTakeFirstOrThrow()
    .then(
      () => undefined,
      (error: unknown) => {
        log.error({ err: error }, 'The database refuses the query of `/readyz`.')
        return reason
      },
    )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, databaseTimeoutMs, reason)
  })
  return Promise.race([requested, late]).finally(() => clearTimeout(timer))
}
