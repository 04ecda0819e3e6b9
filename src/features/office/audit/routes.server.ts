import { z } from 'zod'
import { fileReply, jsonReply } from '../../../http/reply.ts'
import { declareRoutes, FileAnswer, type Route } from '../../../http/route.ts'
import { badParameter, choiceParameter } from '../../../http/parameters.ts'
import { isDay } from '../../../platform/time/site-time.ts'
import type { OfficeApp } from '../app.ts'
import type { Viewer } from '../viewer/viewer.ts'
import { auditGroupNames } from './audit-event.ts'
import { AuditLogForAdmin } from './audit-log-schema.ts'
import { exportAuditLog } from './export-audit-log.server.ts'
import { readAuditLog } from './read-audit-log.server.ts'

const route = declareRoutes<OfficeApp, Viewer>()

const eventsOfAPart = 50

const day = (name: string) =>
  z
    .string()
    .refine(isDay, `The parameter ${name} must be a day like 2026-03-05.`)
    .optional()
    .meta({ format: 'date', description: 'A day in the time zone of the site, inclusive.' })

const text = (name: string, pattern: RegExp, error: string, description: string) =>
  z
    .string()
    .refine((value) => value.length <= 300 && pattern.test(value), `The parameter ${name} must be ${error}.`)
    .optional()
    .meta({ description })

/** The parameter with which a list of events goes on. */
export const auditBefore = text(
  'before',
  /^[-\d]{10}T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{6}Z_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'the next of the answer before',
  'The next of the answer before: the events that follow it.',
).refine((value) => value === undefined || isDay(value.slice(0, 10)), {
  error: 'The parameter before must be the next of the answer before.',
})

const auditQuery = z
  .object({
    group: choiceParameter('group', auditGroupNames).optional().meta({ description: 'Only actions of this group.' }),
    // The database takes no text with the character zero.
    person: text(
      'person',
      /^[^\0]+$/,
      'the id, the address or the name of a member',
      'The id, the address or the name of a member.',
    ),
    subject: text('subject', /^[a-z_]+:[^\0]+$/, 'a kind and an id, like item:…', 'The object, as kind:id.'),
    about: text('about', /^[^\0]+$/, 'a text', 'A text among the facts, such as the name of an entry, or an id.'),
    from: day('from'),
    to: day('to'),
    before: auditBefore,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    error: 'The days are the wrong way round: the first lies after the last.',
  })

/** The audit log for administrators (docs/spec/security.md#audit-log). */
export const auditRoutes: Route<OfficeApp, Viewer>[] = [
  route({
    access: 'admin',
    method: 'GET',
    path: '/api/audit',
    readsReplica: true,
    caching: 'never',
    maxBodyBytes: 16 * 1024,
    summary: 'The audit log, newest first: who did what, to whom, when.',
    query: auditQuery,
    invalid: badParameter,
    answers: { 200: AuditLogForAdmin },
    handle: async (app, { viewer, query }) =>
      jsonReply(await readAuditLog(app, viewer, { ...query, limit: eventsOfAPart })),
  }),
  route({
    access: 'admin',
    method: 'GET',
    path: '/api/audit/export',
    readsReplica: true,
    needsProofWithin: 60,
    caching: 'never',
    maxBodyBytes: 16 * 1024,
    summary: 'The audit log or a part of it as CSV, newest first.',
    query: auditQuery,
    invalid: badParameter,
    answers: { 200: new FileAnswer('text/csv; charset=utf-8') },
    handle: async (app, { viewer, query }) =>
      fileReply(await exportAuditLog(app, viewer, query), {
        mediaType: 'text/csv; charset=utf-8',
        name: `audit-log-${new Date(app.clock.now()).toISOString().slice(0, 10)}.csv`,
      }),
  }),
]
