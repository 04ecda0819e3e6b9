import { csvLines } from '../../../platform/csv/csv.ts'
import { figureNames, type TransparencyReport } from './figures-schema.ts'

/** The columns of the file. They never change: additions are lines. */
const columns = ['subject', 'year', 'name', 'figure', 'value'] as const

type Line = [
  subject: 'notices' | 'published' | 'site',
  year: number | 'all',
  name: string,
  figure: string,
  value: string | number,
]

/**
 * The report as lines of one figure each (docs/spec/notices.md#transparency): notices by kind and year, published
 * entries by the basis of their rights, and how the site works. An unpublished figure has an empty value.
 */
export function reportAsCsv(report: TransparencyReport): string {
  const { kinds, together, published, verification, countedAt, timeZone } = report
  const series = [...kinds.map(({ kind, ...rest }) => ({ name: kind, ...rest })), { name: 'together', ...together }]
  const lines: Line[] = [
    ...series.flatMap(({ name, all, years }) =>
      [{ year: 'all' as const, figures: all }, ...years].flatMap(({ year, figures }) =>
        figureNames.map((figure): Line => ['notices', year, name, figure, figures[figure] ?? '']),
      ),
    ),
    ...published.bases.map(({ basis, entries }): Line => ['published', 'all', basis, 'entries', entries]),
    ['published', 'all', 'together', 'entries', published.entries],
    ['site', 'all', 'site', 'verification', verification],
    ['site', 'all', 'site', 'countedAt', countedAt],
    ['site', 'all', 'site', 'timeZone', timeZone],
  ]
  return csvLines([columns, ...lines])
}
