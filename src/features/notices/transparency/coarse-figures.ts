import type { NoticeKind } from '../notice/notice-kinds.ts'
import {
  type Count,
  type Figures,
  fewerThanFive,
  figureNames,
  type TransparencyReport,
  countNames,
  type CountName,
} from './figures-schema.ts'
import { csvLines } from '../../../platform/csv/csv.ts'

/**
 * Kinds whose small numbers could point at a person. Their counts are rounded down to a multiple of five, and those
 * below five, zero among them, said as such. Hiding only small ones would hide nothing: the rest of an exact sum is the
 * hidden one. So no sum over several kinds holds them.
 */
const coarseKinds: ReadonlySet<NoticeKind> = new Set(['child-safety', 'intimate-image'])
const step = 5

export function isCoarse(kind: NoticeKind): boolean {
  return coarseKinds.has(kind)
}

/**
 * Everything that was counted exactly, times in seconds. `timed`: notices with a decision, which median and percentile are
 * about. `deadlines`: notices whose deadline of the decision was met or is over; `deadlinesMet`: those of them that met it.
 */
export type ExactFigures = Record<CountName | (typeof wholes)[number], number> &
  Record<'medianSeconds' | 'p90Seconds', number | null>

const wholes = ['timed', 'deadlines', 'deadlinesMet'] as const

export function publicFigures(exact: ExactFigures, { coarse }: { coarse: boolean }): Figures {
  const count = (value: number): Count => (!coarse ? value : value < step ? fewerThanFive : value - (value % step))
  const isShown = (of: number): boolean => of >= (coarse ? step : 1)
  const counts = Object.fromEntries(countNames.map((name) => [name, count(exact[name])])) as Record<CountName, Count>
  return {
    ...counts,
    medianHours: isShown(exact.timed) ? hours(exact.medianSeconds) : null,
    p90Hours: isShown(exact.timed) ? hours(exact.p90Seconds) : null,
    // Rounded down: 100 means that every one was in time.
    inTimePercent: isShown(exact.deadlines) ? Math.floor((100 * exact.deadlinesMet) / exact.deadlines) : null,
  }
}

/** To a tenth of an hour. */
function hours(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds / 360) / 10
}

export const noFigures = {
  ...Object.fromEntries([...countNames, ...wholes].map((name) => [name, 0])),
  medianSeconds: null,
  p90Seconds: null,
} as ExactFigures

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
