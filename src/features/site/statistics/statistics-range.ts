import { addDays } from '../../../platform/time/site-time.ts'

export const statisticsRanges = { '30d': '30 days', '90d': '90 days', '12m': '12 months', all: 'All time' } as const
export type StatisticsRange = keyof typeof statisticsRanges
export const statisticsRangeNames = Object.keys(statisticsRanges) as [StatisticsRange, ...StatisticsRange[]]

export interface Span {
  /** The first day, in the time zone of the site. */
  from: string
  to: string
  /** The length of time of one point. */
  unit: 'day' | 'month'
  /** Every day (`2026-03-05`) or month (`2026-03`) of it, in order. */
  periods: string[]
}

/**
 * The days of a range that ends today. Months are whole months of the calendar, this one and those before it.
 * @param first the day of the oldest thing that is counted: all time begins there, in whole months
 */
export function spanOf(range: StatisticsRange, today: string, first: string): Span {
  if (range === '30d' || range === '90d') {
    const days = range === '30d' ? 30 : 90
    const periods = Array.from({ length: days }, (_, place) => addDays(today, place - days + 1))
    return { from: periods[0] ?? today, to: today, unit: 'day', periods }
  }
  const last = monthNumber(today)
  const begin = range === '12m' ? last - 11 : Math.min(last, monthNumber(first))
  const periods = Array.from({ length: last - begin + 1 }, (_, place) => monthOf(begin + place))
  return { from: `${monthOf(begin)}-01`, to: today, unit: 'month', periods }
}

/** Its periods, as the database writes them. */
export function periodFormat({ unit }: Pick<Span, 'unit'>): string {
  return unit === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM'
}

/** The whole months (`2026-03`) that a span touches, in order. */
export function monthsOf({ from, to }: Pick<Span, 'from' | 'to'>): string[] {
  const first = monthNumber(from)
  return Array.from({ length: monthNumber(to) - first + 1 }, (_, place) => monthOf(first + place))
}

/** Months since the year 0. */
function monthNumber(day: string): number {
  const [year = '0', month = '1'] = day.split('-')
  return Number(year) * 12 + Number(month) - 1
}

function monthOf(number: number): string {
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}
