import { type NoticesConfig, noticesSettings } from '../notices-config.server.ts'
import { ConfigError } from '../../../platform/config/config.ts'
import type { BusinessCalendar } from './business-days.ts'

const calendars = new Map<string, Promise<BusinessCalendar['isHoliday']>>()

/**
 * The calendar of the site (docs/spec/notices.md#business-days). The holidays of the world are much code, so they are
 * loaded when the first deadline is computed ([decision](docs/decisions/2026-11-23-business-days.md)).
 */
export async function businessCalendar({
  holidays,
  timeZone,
}: Pick<NoticesConfig, 'holidays' | 'timeZone'>): Promise<BusinessCalendar> {
  let found = calendars.get(holidays)
  if (found === undefined) {
    found = loadHolidays(holidays)
    calendars.set(holidays, found)
  }
  return { timeZone, isHoliday: await found }
}

/**
 * Asks whether there are holidays for the setting; the one by default there is.
 * @throws {ConfigError} where there are none
 */
export async function checkHolidays({ holidays }: Pick<NoticesConfig, 'holidays'>): Promise<void> {
  if (holidays !== noticesSettings.holidays.default) await loadHolidays(holidays)
}

async function loadHolidays(code: string): Promise<BusinessCalendar['isHoliday']> {
  const { default: Holidays } = await import('date-holidays')
  const [country = '', state, region] = code.split('-')
  const known = new Holidays()
  const isKnown =
    country in (known.getCountries() ?? {}) &&
    (state === undefined || state in (known.getStates(country) ?? {})) &&
    (state === undefined || region === undefined || region in (known.getRegions(country, state) ?? {}))
  if (!isKnown) {
    throw new ConfigError(
      'HOLIDAYS',
      'a country or a part of one whose public holidays are known, like US or DE-BY',
      code,
    )
  }
  const holidays = new Holidays(country, state ?? '', region ?? '', { types: ['public'] })
  const years = new Map<string, Set<string>>()
  return (day) => {
    const year = day.slice(0, 4)
    let days = years.get(year)
    if (days === undefined) {
      // A holiday of several days, or its substitute, may begin in the year before.
      days = new Set([Number(year) - 1, Number(year)].flatMap((each) => daysOf(holidays.getHolidays(each))))
      years.set(year, days)
    }
    return days.has(day)
  }
}

/** The days of the country's own clock that holidays fall on, each `YYYY-MM-DD`. */
function daysOf(holidays: readonly { date: string; start: Date; end: Date }[]): string[] {
  return holidays.flatMap(({ date, start, end }) => {
    const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000))
    const first = Date.parse(`${date.slice(0, 10)}T00:00:00.000Z`)
    return Array.from({ length }, (_nothing, no) => new Date(first + no * 86_400_000).toISOString().slice(0, 10))
  })
}
