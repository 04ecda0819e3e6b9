import { Link } from 'react-router'
import { deadlineInWords, timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { firstActInWords } from '../../desk/event-in-words.ts'
import { statusLabels } from '../../notice/notice-kinds.ts'
import { ClockLeft } from './clock-left.tsx'
import { overInWords, withheldLabel } from './desk-words.ts'
import { Facts } from './facts.tsx'
import { casePath } from './notice-paths.ts'

/** How the notice stands, what is due when, and what the case is waiting for. */
export function CaseStanding({ notice, now, answeredAt }: { notice: NoticeForDesk; now: number; answeredAt: number }) {
  const { status, isWithheld, clocks, firstAct, duplicateOf } = notice
  const over = overInWords(status)
  return (
    <>
      <div className="desk-standing">
        <p>
          <Badge>{statusLabels[status]}</Badge>
          {over === undefined ? null : ` ${over}`}
        </p>
        {duplicateOf === null ? null : (
          <p>
            {'It is a duplicate of '}
            <Link className="work-link" to={casePath(duplicateOf)}>
              {duplicateOf}
            </Link>
            .
          </p>
        )}
        {isWithheld ? (
          <Notice tone="calm">
            <p>{withheldLabel}.</p>
            <p>The entries marked this way are still on the site. Hide them by hand if they may have to go.</p>
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
      {firstAct === null ? null : <FirstAct first={firstAct} />}
      {notice.isNothingFound ? (
        <Notice tone="failed">
          <p>
            No address in this notice leads to an entry, so nothing is hidden. Look for the entry yourself and attach
            it: then it is hidden as the notice asks.
          </p>
        </Notice>
      ) : null}
    </>
  )
}

function FirstAct({ first }: { first: NonNullable<NoticeForDesk['firstAct']> }) {
  const { act, of, by, isOwn, at, legalGround, facts, explanation } = first
  return (
    <Notice tone="calm">
      <h3>Waiting for a second safety officer</h3>
      <p>
        <bdi>{by}</bdi> {firstActInWords({ act, ...(of === null ? {} : { of }) })} ({timeInWords(at)}).{' '}
        {isOwn
          ? 'Until another safety officer does the same, everything stays as it is. They were told by email.'
          : 'Look at the case yourself. If you agree, do the same; until then everything stays as it is.'}
      </p>
      {facts === null ? null : (
        <Facts
          of={[
            ['The law or the term', legalGround],
            ['Facts', facts],
            ['Explanation', explanation],
          ]}
        />
      )}
    </Notice>
  )
}
