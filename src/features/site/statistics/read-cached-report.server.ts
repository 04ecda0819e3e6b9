import { CachedResponse, jsonType } from '../../../http/cache/cached-response.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { readStatisticsReport } from './read-statistics-report.server.ts'
import type { StatisticsRange } from './statistics-range.ts'

/** A million downloads take a moment to count: nobody has it done more often than this. */
const cachedForMs = 60_000

/** The report of a range as JSON, at most a minute old; several administrators who ask at once wait for one. */
export async function readCachedReport(app: SiteApp, viewer: Viewer, range: StatisticsRange): Promise<Buffer> {
  const now = app.clock.now()
  // No version: it is true of the instant that it names.
  const freshness = () => ({ version: 0, until: now + cachedForMs })
  const cached = await app.answers.get(`statistics ${range}`, now, freshness, async () => {
    const report = Buffer.from(JSON.stringify(await readStatisticsReport(app, viewer, range)))
    return { build: () => new CachedResponse(200, jsonType, report) }
  })
  return cached.bytes('identity', app.compressions)
}
