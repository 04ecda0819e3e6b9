import { agoInWords, agoToTheHour, timeInWords } from './format-instant.ts'

/**
 * When something happened: '5 minutes ago', with the exact time as title.
 * @param at instant, ISO 8601
 * @param now in milliseconds since 1970
 * @param isToTheHour for what is noted at most once an hour: it says no minutes
 */
export function Moment({ at, now, isToTheHour = false }: { at: string; now: number; isToTheHour?: boolean }) {
  if (isToTheHour) return <time dateTime={at}>{agoToTheHour(at, now)}</time>
  return (
    <time dateTime={at} title={`${timeInWords(at)} (${at})`}>
      {agoInWords(at, now)}
    </time>
  )
}
