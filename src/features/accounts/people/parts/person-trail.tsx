import { Moment } from '../../../../browser/moment.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { WorkSection, WorkWaiting } from '../../../../ui/work-page.tsx'
import { AuditActor, AuditDetails, AuditSubject } from '../../../office/audit/parts/audit-cells.tsx'
import { useAdminPages } from '../../../office/browser/admin-query.ts'
import { AuditEventsForAdmin } from '../../../office/audit/audit-log-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'

/** The events of the audit log about a member: acts on them, and their own. */
export function PersonTrail({ person, now }: PersonPageProps) {
  const { pages, error, isFetching, hasMore, more } = useAdminPages(
    `${personPath(person.id)}/trail`,
    AuditEventsForAdmin,
    { parameter: 'before' },
  )
  const events = pages.flatMap((page) => page.events)
  return (
    <WorkSection title="Audit trail">
      {pages.length === 0 ? (
        error === undefined ? (
          <WorkWaiting />
        ) : null
      ) : events.length === 0 ? (
        <p>Nothing has been recorded about this member.</p>
      ) : (
        <DataTable label="Audit trail" heads={['When', 'Who', 'What', 'About', 'Details']} isBusy={isFetching}>
          {events.map((event) => (
            <tr key={event.id}>
              <td>
                <Moment at={event.at} now={now} />
              </td>
              <td>
                <AuditActor by={event.by} />
              </td>
              <td>{event.words}</td>
              <td>
                <AuditSubject event={event} />
              </td>
              <td>
                <AuditDetails event={event} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
    </WorkSection>
  )
}
