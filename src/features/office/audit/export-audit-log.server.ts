import { csvLines } from '../../../platform/csv/csv.ts'
import type { OfficeApp } from '../app.ts'
import { requireMember, type Viewer } from '../viewer/viewer.ts'
import { type AuditFilter, readAuditEvents } from './read-audit-log.server.ts'
import { recordAuditEvent } from './record-audit-event.server.ts'

const atOnce = 500

const heads = ['time', 'who', 'who id', 'act', 'action', 'about', 'about kind', 'about id', 'facts']

/**
 * The events of a filter that this administrator may know of as CSV, newest first, each with all its facts. The export itself is in
 * the log before the first line, and in the file.
 */
export async function exportAuditLog(
  app: Pick<OfficeApp, 'db' | 'config' | 'people' | 'audit'>,
  viewer: Viewer,
  filter: Omit<AuditFilter, 'limit'>,
): Promise<AsyncIterable<string>> {
  const by = { memberId: requireMember(viewer).id }
  // Texts that were looked for may name people, whom the log knows by their ids alone.
  const { group, subject, from, to } = filter
  const details = { group, subject, from, to, isFiltered: Object.values(filter).some((value) => value !== undefined) }
  await app.db.transaction().execute((trx) => recordAuditEvent(trx, { action: 'log.exported', by, details }))
  return linesOf(app, viewer, filter)
}

async function* linesOf(
  app: Pick<OfficeApp, 'db' | 'config' | 'people' | 'audit'>,
  viewer: Viewer,
  filter: Omit<AuditFilter, 'limit'>,
): AsyncIterable<string> {
  // The mark says to spreadsheets that this is UTF-8.
  yield `\uFEFF${csvLines([heads])}`
  let { before } = filter
  do {
    const { events, next } = await readAuditEvents(app, viewer, { ...filter, before, limit: atOnce })
    yield csvLines(
      events.map(({ at, by, words, action, subject, details }) => [
        at,
        by.name ?? (by.kind === 'member' ? '' : by.kind),
        by.id,
        words,
        action,
        subject?.words,
        subject?.kind,
        subject?.id,
        Object.keys(details).length === 0 ? '' : JSON.stringify(details),
      ]),
    )
    before = next ?? undefined
  } while (before !== undefined)
}
