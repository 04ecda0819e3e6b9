import { Link } from 'react-router'
import { deadlineInWords, timeInWords } from '../../../../browser/format-instant.ts'
import { timeLeftInWords, urgencyOf } from '../../../../browser/time-left.ts'
import type { AdminHome, Figure, HomeRow } from '../../home/admin-home-schema.ts'
import { sinceInWords } from './home-words.ts'
import './admin-home.css'

/** Waiting work and failures, each with its next step; yesterday in figures. */
export function AdminHomeRows({ rows, now }: { rows: AdminHome['rows']; now: number }) {
  if (rows.length === 0) return null
  return (
    <ul className="home-rows" aria-label="What needs you">
      {rows.map((row, place) => (
        // Two rows may say the same.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={`${row.sentence} ${row.facts} ${row.to} ${place}`} row={row} now={now} isFirst={place === 0} />
      ))}
    </ul>
  )
}

function Row({ row, now, isFirst }: { row: HomeRow; now: number; isFirst: boolean }) {
  const { sentence, facts, line, verb, to } = row
  return (
    <li className="home-row">
      <When row={row} now={now} />
      <div className="home-what">
        <p>
          <b>{sentence}</b>
          {facts === null ? null : ` · ${facts}`}
        </p>
        {line === null ? null : <p className="work-aside">{line}</p>}
      </div>
      {to === null ? null : (
        <Link
          className={isFirst ? 'button button-solid' : 'button'}
          to={to}
          aria-label={`${verb}: ${facts === null ? sentence : `${sentence}, ${facts}`}`}
        >
          {verb}
        </Link>
      )}
    </li>
  )
}

function When({ row: { until, isOverdue, since }, now }: { row: HomeRow; now: number }) {
  if (until !== null) {
    const deadline = { dueAt: until, isOverdue }
    return (
      <p className={`home-when is-${urgencyOf(deadline, now)}`}>
        <time dateTime={until} title={deadlineInWords(until)}>
          {timeLeftInWords(deadline, now)}
        </time>
      </p>
    )
  }
  return (
    <p className="home-when">
      {since === null ? null : (
        <time dateTime={since} title={timeInWords(since)}>
          {sinceInWords(since, now)}
        </time>
      )}
    </p>
  )
}

/** Yesterday's figures, each with its change. */
export function Yesterday({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null
  return (
    <section aria-labelledby="home-yesterday">
      <h2 className="home-yesterday" id="home-yesterday">
        Yesterday
      </h2>
      <dl className="home-figures">
        {figures.map(({ name, value, change, to }) => (
          <div key={name}>
            <dt>
              <Link to={to}>{name}</Link>
            </dt>
            <dd className="home-figure">{value}</dd>
            <dd className="work-aside">{change}</dd>
          </div>
        ))}
      </dl>
      <p className="work-aside">Members whose accounts were deleted since are not counted.</p>
    </section>
  )
}
