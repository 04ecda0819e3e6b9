import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { AuditEventForAdmin } from '../../../accounts/audit/audit-log-schema.ts'
import { detailLines, pathOfSubject, subjectInWords } from './audit-words.ts'
import './audit-table.css'

/** The events of the audit log, newest first. */
export function AuditTable({ events, isBusy }: { events: readonly AuditEventForAdmin[]; isBusy: boolean }) {
  return (
    <DataTable label="Audit log" heads={['When', 'Who', 'What', 'About', 'Details']} isBusy={isBusy}>
      {events.map((event) => (
        <tr key={event.id}>
          <td>
            <time dateTime={event.at}>{timeInWords(event.at)}</time>
            {event.position === null ? null : (
              <span className="work-aside audit-place">{`No. ${event.position.toLocaleString('en-US')}`}</span>
            )}
          </td>
          <td>
            <Actor by={event.by} />
          </td>
          <td>{event.words}</td>
          <td>
            <Subject subject={event.subject} />
          </td>
          <td>
            <Details details={event.details} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

function Actor({ by: { kind, id, name } }: { by: AuditEventForAdmin['by'] }): ReactNode {
  if (kind === 'operator') return 'the command line'
  if (kind === 'system') return 'the site'
  return (
    <Link className="work-link" to={`/admin/audit?person=${id ?? ''}`}>
      {name ?? 'a deleted account'}
    </Link>
  )
}

function Subject({ subject }: { subject: AuditEventForAdmin['subject'] }) {
  if (subject === null) return null
  const to = pathOfSubject(subject)
  const words = subjectInWords(subject)
  return to === undefined ? (
    <span>{words}</span>
  ) : (
    <Link className="work-link" to={to}>
      {words}
    </Link>
  )
}

function Details({ details }: { details: AuditEventForAdmin['details'] }) {
  const lines = detailLines(details)
  if (lines.length === 0) return null
  return (
    <dl className="audit-details">
      {lines.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before === undefined ? null : (
              <>
                <del>
                  <span className="sr-only">before: </span>
                  {before}
                </del>
                {' → '}
                <span className="sr-only">after: </span>
              </>
            )}
            {after}
          </dd>
        </div>
      ))}
    </dl>
  )
}
