import { useState } from 'react'
import { Moment } from '../../../../browser/moment.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { WorkSection, WorkWaiting } from '../../../../ui/work-page.tsx'
import { AuditActor, AuditDetails, AuditSubject } from '../../parts/audit/audit-cells.tsx'
import { actionInWords } from '../../parts/audit/audit-words.ts'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { RetryButton } from '../../parts/retry-button.tsx'
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
        <DataTable label="Audit trail" heads={['When', 'Who', 'What', 'About', 'Details']} isBusy={isFetching}>
          {data.events.map((event) => (
            <tr key={event.id}>
              <td>
                <Moment at={event.at} now={now} />
              </td>
              <td>
                <AuditActor by={event.by} />
              </td>
              <td>{actionInWords(event.action)}</td>
              <td>
                <AuditSubject event={event} />
              </td>
              <td>
                <AuditDetails details={event.details} />
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
