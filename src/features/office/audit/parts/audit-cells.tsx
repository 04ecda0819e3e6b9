import { Link } from 'react-router'
import type { AuditEventForAdmin } from '../audit-log-schema.ts'
import { detailLines, isOfThemselves } from './audit-words.ts'
import { UserText } from '../../parts/user-text.tsx'
import './audit-cells.css'

/*
 * The cells of an event of the audit log: of the log itself, and of what it has of one member.
 */

/** The actor of an event. A member's name links to all their acts. */
export function AuditActor({ by: { kind, id, name } }: Pick<AuditEventForAdmin, 'by'>) {
  if (kind === 'operator') return 'the command line'
  if (kind === 'system') return 'the site'
  return (
    <Link className="work-link" to={`/admin/audit?person=${id ?? ''}`}>
      <UserText>{name ?? 'a deleted account'}</UserText>
    </Link>
  )
}

/** The object of an event, with a link to its page; nothing for a member's act on themselves. */
export function AuditSubject({ event }: { event: Pick<AuditEventForAdmin, 'by' | 'subject'> }) {
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
export function AuditDetails({ event }: { event: Pick<AuditEventForAdmin, 'action' | 'details'> }) {
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
