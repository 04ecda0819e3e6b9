const formats = {
  short: {
    day: new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
    month: new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
  },
  long: {
    day: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
    month: new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  },
}

/** 'Mar 5' of `2024-03-05`, 'Mar 2024' of `2024-03`; long 'March 5, 2024' and 'March 2024'. */
export function periodInWords(period: string, length: 'short' | 'long' = 'short'): string {
  const isMonth = period.length === 'YYYY-MM'.length
  const at = Date.parse(`${period}${isMonth ? '-01' : ''}T00:00:00Z`)
  return Number.isNaN(at) ? 'Invalid Date' : formats[length][isMonth ? 'month' : 'day'].format(at)
}
