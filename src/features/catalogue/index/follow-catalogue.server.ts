import type { DatabaseEngine } from '../../../db/open-database.ts'
import type { CatalogueApp } from '../app.ts'
import { isReportedOnce } from '../../../platform/database-outages.ts'

/** How long an edit may wait for the next one. */
const collectMs = 100
/** While edits go on, readings of them lie so far apart: each makes what it touches doubtful. */
const apartMs = 750
/** After a reading that failed. */
const againMs = 800
/** In case a notification of another process is lost; a broken connection tells by itself that some may be. */
const listenAnywayMs = 5_000

/**
 * Keeps the listing equal to the database.
 * @returns how to stop
 */
export async function followCatalogue(app: CatalogueApp, database: DatabaseEngine): Promise<() => Promise<void>> {
  const maxAgeMs = app.config.serveWithoutDatabaseSeconds * 1_000
  // The embedded database has one process: nobody else changes anything, and no notification is lost.
  const isShared = database.engine === 'postgresql'
  if (isShared) app.listing.expireAfter(maxAgeMs)
  let underway: Promise<void> = Promise.resolve()
  let gathering: NodeJS.Timeout | undefined
  let changedAt = -Infinity
  let isBehind = false
  let isStopped = false
  const readChanges = async (): Promise<void> => {
    const { version } = app.listing
    await app.listing.catchUp()
    if (isBehind) app.log.info('The listing is up to date again.')
    isBehind = false
    if (app.listing.version !== version) changedAt = performance.now()
  }
  const catchUp = (): void => {
    gathering = undefined
    underway = readChanges().catch((error: unknown) => {
      hear(againMs)
      // An outage has lines of its own when it begins and when it is over.
      if (isReportedOnce(error)) return
      // Tried again within a second, it fails for the same reason: one line until it is over.
      if (!isBehind) app.log.error({ err: error }, 'The listing could not be brought up to date.')
      isBehind = true
    })
  }
  // Many edits in a row are read together.
  const hear = (notBeforeMs = collectMs): void => {
    if (isStopped) return
    gathering ??= setTimeout(catchUp, Math.max(notBeforeMs, changedAt + apartMs - performance.now()))
  }
  const stopListening = await database.onCatalogueChange(() => hear())
  // Asked so often, the database is believed.
  const timer = isShared ? setInterval(() => hear(), Math.min(listenAnywayMs, maxAgeMs / 4)).unref() : undefined
  return async () => {
    isStopped = true
    clearInterval(timer)
    await stopListening()
    clearTimeout(gathering)
    await underway
  }
}
