import { Link } from 'react-router'
import { timeInWords } from '../../../../browser/format-instant.ts'
import type { AdminHome, Figure, HomeRow } from '../../home/admin-home-schema.ts'
import { isShort, sinceInWords, timeLeft } from './home-words.ts'
import './admin-home.css'

/** Waiting work and failures, each with its next step; yesterday in figures. */
export function AdminHomeRows({ rows, now }: { rows: AdminHome['rows']; now: number }) {
  if (rows.length === 0) return null
  return (
    <ul className="home-rows" aria-label="What waits for you">
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

function When({ row: { until, since }, now }: { row: HomeRow; now: number }) {
  const at = until ?? since
  if (at === null) return <p className="home-when" />
  return (
    <p className={until !== null && isShort(until, now) ? 'home-when is-short' : 'home-when'}>
      <time dateTime={at} title={timeInWords(at)}>
        {until === null ? sinceInWords(at, now) : timeLeft(until, now)}
      </time>
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
    </section>
  )
}
