import { timeInWords } from '../../../../browser/format-instant.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { AuditEventForAdmin } from '../audit-log-schema.ts'
import { AuditActor, AuditDetails, AuditSubject } from './audit-cells.tsx'
import './audit-table.css'

/**
 * Events of the audit log, newest first.
 * @param now in milliseconds since 1970: how long ago each was, in place of its time and number
 */
export function AuditTable({
  label,
  events,
  now,
  isBusy,
}: {
  label: string
  events: readonly AuditEventForAdmin[]
  now?: number
  isBusy: boolean
}) {
  return (
    <DataTable label={label} heads={['When', 'Who', 'What', 'About', 'Details']} isBusy={isBusy}>
      {events.map((event) => (
        <tr key={event.id}>
          <td>
            {now === undefined ? (
              <>
                <time dateTime={event.at}>{timeInWords(event.at)}</time>
                {event.position === null ? null : (
                  <span className="work-aside audit-place">{`No. ${event.position.toLocaleString('en-US')}`}</span>
                )}
              </>
            ) : (
              <Moment at={event.at} now={now} />
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
