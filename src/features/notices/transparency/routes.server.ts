import { declareRoutes, FileAnswer, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { TransparencyReport } from './figures-schema.ts'
import { readCachedJson, readCachedReport } from './read-cached-report.server.ts'
import { reportAsCsv } from './coarse-figures.ts'

const route = declareRoutes<NoticesApp, Viewer>()

const csvType = 'text/csv; charset=utf-8'

/** The public figures for programs and spreadsheets (docs/spec/notices.md#transparency). */
export const transparencyRoutes: Route<NoticesApp, Viewer>[] = [
  route({
    access: 'anyone',
    method: 'GET',
    path: '/transparency.json',
    caching: 'never',
    summary:
      'The results of the notices, by kind and year, and the rights bases of published entries; at most a minute old.',
    answers: { 200: TransparencyReport },
    async handle(app) {
      const body = await readCachedJson(app)
      return { status: 200, body: () => body }
    },
  }),
  route({
    access: 'anyone',
    method: 'GET',
    path: '/transparency.csv',
    caching: 'never',
    summary: 'The same as a file, one figure a line: subject, year, name, figure, value.',
    answers: { 200: new FileAnswer(csvType) },
    async handle(app) {
      const text = reportAsCsv(await readCachedReport(app))
      const headers = { 'content-disposition': 'attachment; filename="transparency.csv"' }
      return { status: 200, mediaType: csvType, body: () => text, headers }
    },
  }),
]
