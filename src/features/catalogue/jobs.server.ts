import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import { reckonMonths } from './reckon-months.server.ts'
import { restrictLapsedItems } from './restrict-lapsed-items.server.ts'

const everyMs = 60_000
/** An instance that was away for longer reads the whole listing again. */
const changesKeptFor = '1 hour'

/**
 * What the catalogue does by the clock, once now and then every minute: restricts items whose rights have lapsed (they
 * are hidden from that instant on anyway), forgets old entries of the change feed, and asks anew how common words are.
 * @returns how to stop; resolves when a run under way has ended
 */
export async function startCatalogueJobs(app: App): Promise<() => Promise<void>> {
  // First: no item may be written anew whose rights have ended meanwhile.
  await restrictLapsedItems(app)
  await reckonMonths(app)
  let underway = Promise.resolve()
  const run = async (): Promise<void> => {
    await restrictLapsedItems(app)
    await app.db
      .deleteFrom('catalogue_changes')
      .where(sql<boolean>`changed_at < now() - ${changesKeptFor}::interval`)
      .execute()
    await app.listing.grams.refresh()
  }
  await run()
  const timer = setInterval(() => {
    underway = run().catch((error: unknown) =>
      app.log.error({ err: error }, 'The catalogue could not be looked after.'),
    )
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underway
  }
}
