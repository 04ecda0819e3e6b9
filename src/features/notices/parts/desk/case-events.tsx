import { timeInWords } from '../../../../browser/format-instant.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'

export function CaseEvents({ events }: { events: NoticeForDesk['events'] }) {
  return (
    <ol className="desk-events">
      {events.map(({ at, sentence }, place) => (
        // An event has no name, and none ever moves.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={place}>
          <time dateTime={at} title={at}>
            {timeInWords(at)}
          </time>
          <bdi>{sentence}</bdi>
        </li>
      ))}
    </ol>
  )
}
