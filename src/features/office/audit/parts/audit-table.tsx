import { timeInWords } from '../../../../browser/format-instant.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { AuditEventForAdmin } from '../audit-log-schema.ts'
import { AuditActor, AuditDetails, AuditSubject } from './audit-cells.tsx'
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
  )
}
