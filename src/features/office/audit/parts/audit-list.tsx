import { useId, useState } from 'react'
import { clockInWords, timeToTheSecond } from '../../../../browser/format-instant.ts'
import { counted } from '../../../../platform/counted.ts'
import { Icon } from '../../../../ui/icon.tsx'
import type { AuditEventForAdmin } from '../audit-log-schema.ts'
import { type AuditAct, actsOf, daysOf } from './audit-acts.ts'
import './audit-list.css'
import { Link } from 'react-router'
import { detailLines, isOfThemselves } from './audit-words.ts'
import { UserText } from '../../parts/user-text.tsx'
import './audit-cells.css'

/**
 * Events of the audit log, newest first: under each day a line an act, which unfolds.
 * @param within the id of the member whose page it stands on: its headings are below that page's, and their name is left out
 */
export function AuditList({
  label,
  events,
  within,
  isBusy = false,
}: {
  label: string
  events: readonly AuditEventForAdmin[]
  within?: string
  /** The rows are those of another question. */
  isBusy?: boolean
}) {
  const Heading = within === undefined ? 'h2' : 'h3'
  return (
    <div className="audit-list" role="region" aria-label={label} aria-busy={isBusy}>
      {daysOf(actsOf(events)).map(({ day, acts }) => (
        <section key={day}>
          <Heading className="audit-day">{day}</Heading>
          <ul>
            {acts.map((act) => (
              <ActLine key={act.events.at(-1)?.id} act={act} within={within} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function ActLine({ act: { head, events }, within }: { act: AuditAct; within: string | undefined }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const others = events.length - 1
  return (
    <li className="audit-act">
      <div className="audit-line">
        <time dateTime={head.at}>{clockInWords(head.at)}</time>
        <span className="audit-by">
          {within !== undefined && head.by.id === within ? 'they' : <AuditActor by={head.by} />}
        </span>
        <span className="audit-what">
          <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
            {head.words}
          </button>
          {head.subject?.id === within ? null : <AuditSubject event={head} />}
          {others === 0 ? null : <span className="audit-others">{`and ${counted(others, 'more', 'more')}`}</span>}
        </span>
        <Icon name="down" size={16} />
      </div>
      <div id={id} className="audit-more" hidden={!isOpen}>
        {isOpen ? <ActDetails head={head} events={events} /> : null}
      </div>
    </li>
  )
}

function ActDetails({ head, events }: AuditAct) {
  if (events.length === 1) return <EventDetails event={head} />
  return (
    <ol>
      {events.toReversed().map((event) => (
        <li key={event.id}>
          <p>
            {event.words} <AuditSubject event={event} />
          </p>
          <EventDetails event={event} />
        </li>
      ))}
    </ol>
  )
}

function EventDetails({ event }: { event: AuditEventForAdmin }) {
  return (
    <>
      <AuditDetails event={event} />
      <p className="work-aside">
        {timeToTheSecond(event.at)}
        {event.position === null ? null : ` · No. ${event.position.toLocaleString('en-US')}`}
      </p>
    </>
  )
}

/*
 * The cells of an event of the audit log: of the log itself, and of what it has of one member.
 */

/** The actor of an event. A member's name links to all their acts. */
function AuditActor({ by: { kind, id, name } }: Pick<AuditEventForAdmin, 'by'>) {
  if (kind === 'operator') return 'the command line'
  if (kind === 'system') return 'the site'
  return (
    <Link className="work-link" to={`/admin/audit?person=${id ?? ''}`}>
      <UserText>{name ?? 'a deleted account'}</UserText>
    </Link>
  )
}

/** The object of an event, with a link to its page; nothing for a member's act on themselves. */
function AuditSubject({ event }: { event: Pick<AuditEventForAdmin, 'by' | 'subject'> }) {
  if (event.subject === null || isOfThemselves(event)) return null
  const { path } = event.subject
  const words = <bdi>{event.subject.words}</bdi>
  return path === null ? (
    words
  ) : (
    <Link className="work-link" to={path}>
      {words}
    </Link>
  )
}

/** The facts of an event, one below the other. */
function AuditDetails({ event }: { event: Pick<AuditEventForAdmin, 'action' | 'details'> }) {
  const lines = detailLines(event)
  if (lines.length === 0) return null
  return (
    <dl className="audit-details">
      {lines.map(({ name, title, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>{' '}
          <dd>
            {before === undefined ? null : (
              <>
                <del>
                  <span className="sr-only">before: </span>
                  <bdi>{before}</bdi>
                </del>
                {' → '}
                <span className="sr-only">after: </span>
              </>
            )}
            <bdi title={title}>{after}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
