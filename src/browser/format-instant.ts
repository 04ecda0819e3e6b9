/*
 * Instants in words, in the reader's own time zone. A text that is no instant is shown as such
 * (docs/spec/words.md#dates).
 */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })
const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric' })
const dayAndTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' })
const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

/** 'March 5, 2024' */
export function dayInWords(instant: string): string {
  return inWords(instant, (at) => day.format(at))
}

/** 'on March 5', and of another year 'on March 5, 2025' */
export function comingDayInWords(instant: string, now: number): string {
  return inWords(instant, (at) => {
    const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
    return `on ${(isThisYear ? dayOfYear : day).format(at)}`
  })
}

/** 'March 5, 2024 at 2:07 PM' */
export function timeInWords(instant: string): string {
  return inWords(instant, (at) => dayAndTime.format(at))
}

/** 'just now', '5 minutes ago', 'yesterday', and from a week on the day. Clocks that disagree do not look ahead. */
export function agoInWords(instant: string, now: number): string {
  return inWords(instant, (at) => {
    const passed = Math.max(0, now - at)
    if (passed < minuteMs) return 'just now'
    if (passed < hourMs) return ago.format(-Math.floor(passed / minuteMs), 'minute')
    if (passed < dayMs) return ago.format(-Math.floor(passed / hourMs), 'hour')
    if (passed < 7 * dayMs) return ago.format(-Math.floor(passed / dayMs), 'day')
    return `on ${day.format(at)}`
  })
}

/** How many days of a membership remain: one that has begun counts whole, and one that is over leaves none. */
export function daysLeft(end: string, now: number): number {
  const left = Math.ceil((Date.parse(end) - now) / dayMs)
  return left > 0 ? left : 0
}

/** '1 day', '12 days' */
export function daysInWords(days: number): string {
  return `${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`
}

function inWords(instant: string, words: (at: number) => string): string {
  const at = Date.parse(instant)
  return Number.isNaN(at) ? 'Invalid Date' : words(at)
}
