import { deadlineInWords, timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { statusLabels } from '../../notice/notice-kinds.ts'
import { ClockLeft } from './clock-left.tsx'
import { overInWords, withheldLabel } from './desk-words.ts'

/** How the notice stands, and what is due when. */
export function CaseStanding({ notice, now, answeredAt }: { notice: NoticeForDesk; now: number; answeredAt: number }) {
  const { status, isWithheld, clocks } = notice
  const over = overInWords(status)
  return (
    <div className="desk-standing">
      <p>
        <Badge>{statusLabels[status]}</Badge>
        {over === undefined ? null : ` ${over}`}
      </p>
      {isWithheld ? (
        <Notice tone="calm">
          <p>{withheldLabel}.</p>
          <p>The entries that are marked so are on the site still. Hide them by hand if they may have to go.</p>
        </Notice>
      ) : null}
      {clocks.length === 0 ? null : (
        <ul aria-label="Deadlines">
          {clocks.map((clock) => (
            <li key={`${clock.name} ${clock.dueAt}`}>
              <ClockLeft clock={clock} now={now} />
              <span className="work-aside">{deadlineInWords(clock.dueAt)}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="work-aside">
        {clocks.length === 0 ? 'No deadline is running. ' : ''}
        {`As of ${timeInWords(new Date(answeredAt).toISOString())}.`}
      </p>
    </div>
  )
}
