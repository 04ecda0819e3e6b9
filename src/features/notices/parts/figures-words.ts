import type { Count } from '../transparency/figures-schema.ts'

/** '1,200'; of a coarse kind 'at least 10', 'fewer than 5' */
export function countInWords(count: Count, isCoarse: boolean): string {
  if (typeof count === 'string') return count
  const text = count.toLocaleString('en-US')
  return isCoarse ? `at least ${text}` : text
}

/** '5.3 h', from two days on '2.4 days' */
export function hoursInWords(hours: number | null): string | null {
  if (hours === null) return null
  if (hours < 48) return `${hours.toLocaleString('en-US')} h`
  return `${(Math.round(hours / 2.4) / 10).toLocaleString('en-US')} days`
}

/** '97 %' */
export function percentInWords(percent: number | null): string | null {
  return percent === null ? null : `${percent} %`
}

/** The share of a part: '12.5 %'; never 0 or 100 by rounding. */
export function shareInWords(part: number, whole: number): string {
  if (part === whole) return '100 %'
  const tenths = Math.min(Math.round((1_000 * part) / whole) / 10, 99.9)
  return tenths === 0 && part > 0 ? 'under 0.1 %' : `${tenths} %`
}
