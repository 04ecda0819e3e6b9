import { useState } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../../../browser/moment.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { WorkSection, WorkWaiting } from '../../../../ui/work-page.tsx'
import { auditActions } from '../../audit/audit-event.ts'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { RetryButton } from '../../parts/retry-button.tsx'
import type { Person, TrailEvent } from '../people-schema.ts'
import { Trail } from '../people-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'

/** What the audit log has of a member: what was done to them, and what they did. */
export function PersonTrail({ person, now }: PersonPageProps) {
  /** The last events of the pages before this one. */
  const [before, setBefore] = useState<readonly string[]>([])
  const last = before.at(-1)
  const path = `${personPath(person.id)}/trail${last === undefined ? '' : `?before=${last}`}`
  const { data, error, isFetching, refetch } = useAdminQuery(path, Trail, { keepsPrevious: true })
  return (
    <WorkSection title="Audit trail">
      {data === undefined && error === undefined ? <WorkWaiting /> : null}
      {error === undefined ? null : (
        <>
          <Notice tone="failed">{error.message}</Notice>
          <div>
            <RetryButton isFetching={isFetching} onRetry={refetch} />
          </div>
        </>
      )}
      {data === undefined ? null : data.events.length === 0 ? (
        <p>Nothing is recorded of this member.</p>
      ) : (
        <DataTable label="Audit trail" heads={['When', 'What', 'By', 'To']} isBusy={isFetching}>
          {data.events.map((event) => (
            <tr key={event.id}>
              <td>
                <Moment at={event.at} now={now} />
              </td>
              <td>{actionInWords(event)}</td>
              <td>
                <Who person={person} {...event.by} />
              </td>
              <td>
                {event.subject === null ? (
                  ''
                ) : event.subject.kind === 'member' ? (
                  <Who person={person} {...event.subject} />
                ) : (
                  event.subject.kind.replaceAll('_', ' ')
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {data !== undefined && (data.hasMore || before.length > 0) ? (
        <div className="person-actions">
          <button
            type="button"
            className="button"
            disabled={before.length === 0}
            onClick={() => setBefore((pages) => pages.slice(0, -1))}
          >
            Newer
          </button>
          <button
            type="button"
            className="button"
            disabled={!data.hasMore}
            onClick={() => {
              const end = data.events.at(-1)
              if (end !== undefined) setBefore((pages) => [...pages, end.id])
            }}
          >
            Older
          </button>
        </div>
      ) : null}
    </WorkSection>
  )
}

/** What was done, with the facts that tell it apart. */
function actionInWords({ action, details }: Pick<TrailEvent, 'action' | 'details'>): string {
  const words = (auditActions as Record<string, string>)[action] ?? action
  const facts = Object.entries(details).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${name}: ${value}`] : [],
  )
  return facts.length === 0 ? words : `${words} (${facts.join(', ')})`
}

function Who({ person, kind, id, name }: { person: Person; kind: string; id: string | null; name: string | null }) {
  if (kind !== 'member' || id === null) return kind === 'operator' ? 'the operator' : 'the site'
  if (name === null) return <span title={id}>an account that is gone</span>
  if (id === person.id) return <bdi>{name}</bdi>
  return (
    <Link className="text-link" to={`/admin/people/${id}`}>
      <bdi>{name}</bdi>
    </Link>
  )
}
