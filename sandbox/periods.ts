/**
 * When the period that begins at `start` ends: one interval later, on the day of month and at the time of day of the
 * anchor, or on the month's last day when it is shorter. All in seconds, UTC, as Stripe computes it.
 */
export function nextPeriodEnd(start: number, anchor: number, interval: string): number {
  const from = new Date(start * 1000)
  const of = new Date(anchor * 1000)
  const months = interval === 'year' ? 12 : 1
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(of.getUTCDate(), lastDay)
  const end = Date.UTC(year, month, day, of.getUTCHours(), of.getUTCMinutes(), of.getUTCSeconds())
  return Math.floor(end / 1000)
}
