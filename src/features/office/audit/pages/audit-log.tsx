import { useLocation, useNavigate } from 'react-router'
import { ButtonLink } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { downloadFile } from '../../../../browser/api-files.ts'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { ListBody } from '../../../../ui/list-page/list-page.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { AuditLogForAdmin } from '../audit-log-schema.ts'
import { useAdminPages } from '../../browser/admin-query.ts'
import { FileButton } from '../../parts/file-button.tsx'
import { auditFilters, AuditFilters } from '../parts/audit-filters.tsx'
import { AuditList } from '../parts/audit-list.tsx'

export const handle = { title: 'Audit log' } satisfies TitledPage

export const meta = guardedMeta

/** The audit log. Filters and place stand in the address, so that a view can be sent to a colleague. */
export default function AuditLogRoute() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const requested = new URLSearchParams(search)
  const query = new URLSearchParams()
  for (const name of auditFilters) {
    const value = requested.get(name)?.trim() ?? ''
    if (value !== '') query.set(name, value)
  }
  const path = `/api/audit${query.size === 0 ? '' : `?${query.toString()}`}`
  const { pages, error, isFetching, isPrevious, hasMore, more, refetch } = useAdminPages(path, AuditLogForAdmin, {
    parameter: 'before',
    keepsPrevious: true,
  })
  const events = pages.flatMap((page) => page.events)
  const [first] = pages
  const isFiltered = auditFilters.some((name) => query.has(name))

  const show = (change: Record<string, string>): void => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(change)) {
      if (value.trim() === '') next.delete(name)
      else next.set(name, value.trim())
    }
    void navigate({ search: next.toString() }, { preventScrollReset: true })
  }

  return (
    <WorkPage
      title="Audit log"
      lead="Who did what, and when. A chain of hashes reveals any tampering."
      actions={
        <FileButton save={() => downloadFile(path.replace('/api/audit', '/api/audit/export'))}>
          {isFiltered ? 'Save these as CSV' : 'Save as CSV'}
        </FileButton>
      }
    >
      <AuditFilters key={search} query={query} onShow={show} />
      {first === undefined ? null : <CheckNotice check={first.check} />}
      <ListBody
        answer={{ isHere: first !== undefined, error, isFetching, onRetry: refetch }}
        failure="The audit log could not be loaded"
        shown={events.length}
        more={{ hasMore, onMore: more }}
        empty={isFiltered ? 'No event matches these filters.' : 'Nothing has been recorded yet.'}
        step={isFiltered ? <ButtonLink label="Show all events" to={{ search: '' }} /> : undefined}
      >
        <AuditList label="Audit log" events={events} isBusy={isPrevious} />
      </ListBody>
    </WorkPage>
  )
}

function CheckNotice({ check }: { check: AuditLogForAdmin['check'] }) {
  if (check === null) return <p className="work-aside">The whole log is checked every night; it has not been yet.</p>
  const when = timeInWords(check.checkedAt)
  const [first] = check.faults
  if (first === undefined) {
    const events = check.events === null ? '' : `: ${counted(check.events, 'event')}`
    return <p className="work-aside">{`Whole at the last nightly check, ${when}${events}.`}</p>
  }
  return (
    <Notice tone="failed">
      {`Not whole at the last nightly check, ${when}. ${first.sentence} The command “audit verify” names every fault.`}
    </Notice>
  )
}
