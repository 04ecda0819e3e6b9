import { agoInWords, timeInWords } from './format-instant.ts'

/**
 * When something happened: '5 minutes ago', with the exact time as title.
 * @param at instant, ISO 8601
 * @param now in milliseconds since 1970
 */
export function Moment({ at, now }: { at: string; now: number }) {
  return (
    <time dateTime={at} title={`${timeInWords(at)} (${at})`}>
      {agoInWords(at, now)}
    </time>
  )
}
