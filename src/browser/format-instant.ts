import { counted } from '../platform/counted.ts'
import { dayOf } from '../platform/time/site-time.ts'

/*
 * Instants in words, in the time zone of the site, which the page names: a day is the same one on every screen, in an email
 * and in a filter. A text that is no instant is shown as such (docs/spec/words.md#dates).
 */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const formats = new Map<string, Intl.DateTimeFormat>()

function siteTimeZone(): string | undefined {
  return typeof document === 'undefined' ? undefined : document.documentElement.dataset['timeZone']
}

function formatOf(timeStyle: 'short' | 'medium' | undefined): Intl.DateTimeFormat {
  const timeZone = siteTimeZone()
  const key = `${timeStyle ?? ''} ${timeZone ?? ''}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle, timeZone })
    formats.set(key, format)
  }
  return format
}

const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

/** 'March 5, 2024' */
export function dayInWords(instant: string): string {
  return inWords(instant, (at) => formatOf(undefined).format(at))
}

const calendarDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** The same for a day that is no instant: '2024-03-05' is that day in every time zone. */
export function calendarDayInWords(day: string): string {
  return inWords(day, (at) => calendarDay.format(at))
}

const weekday = { weekday: 'long', month: 'long', day: 'numeric' } as const

/** 'Tuesday, March 5' */
export function weekdayInWords(at: number): string {
  return new Intl.DateTimeFormat('en-US', { ...weekday, timeZone: siteTimeZone() }).format(at)
}

/** 'on March 5', and of another year 'on March 5, 2025' */
export function comingDayInWords(instant: string, now: number): string {
  return inWords(instant, (at) => {
    const day = formatOf(undefined).format(at)
    const year = formatOf(undefined).format(new Date(now)).slice(-4)
    return `on ${day.endsWith(`, ${year}`) ? day.slice(0, -6) : day}`
  })
}

/** 'March 5, 2024 at 2:07 PM' */
export function timeInWords(instant: string): string {
  return inWords(instant, (at) => formatOf('short').format(at))
}

/** '2:07 PM' */
export function clockInWords(instant: string): string {
  const timeZone = siteTimeZone()
  return inWords(instant, (at) => new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone }).format(at))
}

/** A deadline: as a time, and one at midnight as the end of the day before, 'the end of March 4, 2024'. */
export function deadlineInWords(instant: string): string {
  return inWords(instant, (at) => {
    const isMidnight = / at 12:00\sAM$/.test(formatOf('short').format(at))
    return isMidnight ? `the end of ${formatOf(undefined).format(at - minuteMs)}` : formatOf('short').format(at)
  })
}

/** 'March 5, 2024 at 2:07:09 PM' */
export function timeToTheSecond(instant: string): string {
  return inWords(instant, (at) => formatOf('medium').format(at))
}

/** 'just now', '5 minutes ago', 'yesterday', and from a week on the day. Clocks that disagree do not look ahead. */
export function agoInWords(instant: string, now: number): string {
  return inWords(instant, (at) => {
    const passed = Math.max(0, now - at)
    if (passed < minuteMs) return 'just now'
    if (passed < hourMs) return ago.format(-Math.floor(passed / minuteMs), 'minute')
    if (passed < dayMs) return ago.format(-Math.floor(passed / hourMs), 'hour')
    if (passed < 7 * dayMs) return ago.format(-Math.floor(passed / dayMs), 'day')
    return `on ${formatOf(undefined).format(at)}`
  })
}

/** The same for instants that are known to the hour. */
export function agoToTheHour(instant: string, now: number): string {
  return now - Date.parse(instant) < hourMs ? 'within the last hour' : agoInWords(instant, now)
}

/** How many days of a membership remain: one that has begun counts whole, and one that is over leaves none. */
export function daysLeft(end: string, now: number): number {
  const left = Math.ceil((Date.parse(end) - now) / dayMs)
  return left > 0 ? left : 0
}

/** How many days of the calendar lie ahead of an instant: 0 is today, 1 tomorrow. Days that are longer or shorter count as one. */
export function daysAhead(instant: string, now: number): number {
  const timeZone = siteTimeZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (Date.parse(dayOf(Date.parse(instant), timeZone)) - Date.parse(dayOf(now, timeZone))) / dayMs
}

/** '1 day', '12 days' */
export function daysInWords(days: number): string {
  return counted(days, 'day')
}

function inWords(instant: string, words: (at: number) => string): string {
  const at = Date.parse(instant)
  return Number.isNaN(at) ? 'Invalid Date' : words(at)
}
