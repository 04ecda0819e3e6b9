import { CachedResponse, jsonType } from '../../../http/cache/cached-response.ts'
import type { NoticesApp } from '../app.ts'
import { TransparencyReport } from './figures-schema.ts'
import { readReport } from './read-report.server.ts'

/** A scan of all notices takes a moment: it runs at most this often, however many ask. */
const cachedForMs = 60_000

/**
 * The public figures as JSON, at most a minute old; concurrent callers share one count. Page, JSON and CSV are made
 * from it. None is cached like other answers, which hold until the catalogue changes: a notice changes nothing there.
 */
export async function readCachedJson(app: NoticesApp): Promise<Buffer> {
  const now = app.clock.now()
  // No version: it holds for the instant that it names.
  const freshness = () => ({ version: 0, until: now + cachedForMs })
  const cached = await app.answers.get('transparency', now, freshness, async () => {
    const report = Buffer.from(JSON.stringify(await readReport(app)))
    return { build: () => new CachedResponse(200, jsonType, report) }
  })
  return cached.bytes('identity', app.compressions)
}

/** The same, parsed. */
export async function readCachedReport(app: NoticesApp): Promise<TransparencyReport> {
  return TransparencyReport.parse(JSON.parse((await readCachedJson(app)).toString()))
}
