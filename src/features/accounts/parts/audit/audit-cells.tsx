import { Link } from 'react-router'
import type { AuditEventForAdmin } from '../../audit/audit-log-schema.ts'
import { detailLines, pathOfSubject, subjectInWords } from './audit-words.ts'
import './audit-cells.css'

/*
 * The cells of an event of the audit log: of the log itself, and of what it has of one member.
 */

/** Who did it. A member leads to all that they did. */
export function AuditActor({ by: { kind, id, name } }: Pick<AuditEventForAdmin, 'by'>) {
  if (kind === 'operator') return 'the command line'
  if (kind === 'system') return 'the site'
  return (
    <Link className="work-link" to={`/admin/audit?person=${id ?? ''}`}>
      <bdi>{name ?? 'a deleted account'}</bdi>
    </Link>
  )
}

/** What it was done to, with its page where it has one. */
export function AuditSubject({ event }: { event: Pick<AuditEventForAdmin, 'action' | 'subject' | 'details'> }) {
  if (event.subject === null) return null
  const to = pathOfSubject(event)
  const words = <bdi>{subjectInWords(event)}</bdi>
  return to === undefined ? (
    words
  ) : (
    <Link className="work-link" to={to}>
      {words}
    </Link>
  )
}

/** The facts of an event. */
export function AuditDetails({ details }: Pick<AuditEventForAdmin, 'details'>) {
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
                  <bdi>{before}</bdi>
                </del>
                {' → '}
                <span className="sr-only">after: </span>
              </>
            )}
            <bdi>{after}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
