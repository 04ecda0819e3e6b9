import { LoadMore } from '../../../../ui/load-more.tsx'
import { WorkSection, WorkWaiting } from '../../../../ui/work-page.tsx'
import { AuditList } from '../../../office/audit/parts/audit-list.tsx'
import { useAdminPages } from '../../../office/browser/admin-query.ts'
import { AuditEventsForAdmin } from '../../../office/audit/audit-log-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'

/** The events of the audit log about a member: acts on them, and their own. */
export function PersonTrail({ person }: PersonPageProps) {
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
        <AuditList label="Audit trail" events={events} within={person.id} />
      )}
      <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
    </WorkSection>
  )
}
