import { calendarDayInWords, dayInWords, daysAhead, daysInWords } from '../../../../browser/format-instant.ts'
import type { RightsEntry, RightsForAdmin, RightsList } from '../rights-schema.ts'

const listNames: Record<RightsList, string> = { lapsed: 'Taken off', lapsing: 'Ending soon' }

/** 'Taken off (2)', with a dash while the number is not known: nothing moves when it comes. */
export function listInWords(list: RightsList, counts: RightsForAdmin['counts'] | undefined): string {
  return `${listNames[list]} (${counts?.[list].toLocaleString('en-US') ?? '–'})`
}

/** The subject of the end: 'Its rights', 'The consents of A and B'. */
export function endInWords({ cause, details }: Pick<RightsEntry, 'cause' | 'details'>): string {
  const last = details.at(-1)
  if (last === undefined) return 'Its rights'
  const people = details.length === 1 ? last : `${details.slice(0, -1).join(', ')} and ${last}`
  const consents = `${details.length === 1 ? 'consent' : 'consents'} of ${people}`
  return cause === 'rights' ? `Its rights and the ${consents}` : `The ${consents}`
}

const causes: Record<RightsEntry['cause'], string> = {
  rights: 'Its rights had ended.',
  consent: 'A consent was withdrawn, or had ended.',
  gate: 'It no longer met the rules for publishing.',
}

/** Why it was taken off the site, and what keeps it from coming back. The gate's sentences name days as '2024-03-05'. */
export function reasonInWords({ cause, details }: Pick<RightsEntry, 'cause' | 'details'>): string {
  if (details.length > 0) return details.join(' ').replaceAll(/\b\d{4}-\d\d-\d\d\b/g, calendarDayInWords)
  return `${causes[cause]} Nothing stands in the way now: publish it again.`
}

/** The last day on which it counts. An end by day lies at the first instant of the next. */
export function lastDayInWords(at: string): string {
  return dayInWords(lastInstant(at))
}

function lastInstant(at: string): string {
  return new Date(Date.parse(at) - 1).toISOString()
}

/** 'Today', 'Tomorrow', '12 days', by the last day on which it counts */
export function leftInWords(at: string, now: number): string {
  const days = daysAhead(lastInstant(at), now)
  return days <= 0 ? 'Today' : days === 1 ? 'Tomorrow' : daysInWords(days)
}

export const emptySentences: Record<RightsList, string> = {
  lapsing: 'No rights or consents of published entries end within 30 days.',
  lapsed: 'No entry is offline because of its rights.',
}
