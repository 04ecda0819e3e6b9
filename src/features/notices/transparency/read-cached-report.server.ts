import { CachedResponse, jsonType } from '../../../http/cache/cached-response.ts'
import type { NoticesApp } from '../app.ts'
import { TransparencyReport } from './figures-schema.ts'
import { readReport } from './read-report.server.ts'

/** A look through all notices takes a moment: nobody has it done more often than this, however many ask. */
const cachedForMs = 60_000

/**
 * The public figures as JSON, at most a minute old; those who ask at once wait for one count. Page, JSON and CSV are made from the
 * same one, and none of them is kept like other answers: these are right until the catalogue changes, and a notice changes
 * nothing in it.
 */
export async function readCachedJson(app: NoticesApp): Promise<Buffer> {
  const now = app.clock.now()
  // No version: it is true of the instant that it names.
  const freshness = () => ({ version: 0, until: now + cachedForMs })
  const cached = await app.answers.get('transparency', now, freshness, async () => {
    const report = Buffer.from(JSON.stringify(await readReport(app)))
    return { build: () => new CachedResponse(200, jsonType, report) }
  })
  return cached.bytes('identity', app.compressions)
}

/** The same, read. */
export async function readCachedReport(app: NoticesApp): Promise<TransparencyReport> {
  return TransparencyReport.parse(JSON.parse((await readCachedJson(app)).toString()))
}
