import { useState } from 'react'
import { Link, useLocation, useNavigate, useRouteLoaderData } from 'react-router'
import { counted } from '../../../../platform/counted.ts'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { ListBody } from '../../../../ui/list-page/list-page.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { Select } from '../../../../ui/select.tsx'
import { WorkFold, WorkPage } from '../../../../ui/work-page.tsx'
import { auditGroupNames, auditGroups } from '../audit-event.ts'
import { AuditLogForAdmin } from '../audit-log-schema.ts'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { AuditTable } from '../parts/audit-table.tsx'

export const handle = { title: 'Audit log' } satisfies TitledPage

export const meta = guardedMeta

const filters = ['group', 'person', 'subject', 'from', 'to'] as const

/** The audit log. Filters and place stand in the address, so that a view can be sent to a colleague. */
export default function AuditLogRoute() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const requested = new URLSearchParams(search)
  const query = new URLSearchParams()
  for (const name of [...filters, 'before']) {
    const value = requested.get(name)?.trim() ?? ''
    if (value !== '') query.set(name, value)
  }
  const path = `/api/audit${query.size === 0 ? '' : `?${query.toString()}`}`
  const { data, error, isFetching, refetch } = useAdminQuery(path, AuditLogForAdmin, { keepsPrevious: true })
  const { events = [] } = data ?? {}
  const isFiltered = filters.some((name) => query.has(name))

  const show = (change: Record<string, string>): void => {
    const next = new URLSearchParams(query)
    next.delete('before')
    for (const [name, value] of Object.entries(change)) {
      if (value.trim() === '') next.delete(name)
      else next.set(name, value.trim())
    }
    void navigate({ search: next.toString() }, { preventScrollReset: true })
  }

  return (
    <WorkPage title="Audit log" lead="Every act, with its author and time. A chain of hashes shows any change to it.">
      <AuditFilters key={search} query={query} onShow={show} />
      {data === undefined ? null : <CheckNotice check={data.check} />}
      <ListBody
        answer={{ isHere: data !== undefined, error, isFetching, onRetry: refetch }}
        failure="The audit log could not be loaded"
        shown={events.length}
        empty={isFiltered ? 'No event fits these filters.' : 'Nothing has been recorded yet.'}
        step={
          isFiltered ? (
            <Link className="button" to={{ search: '' }}>
              Show all events
            </Link>
          ) : undefined
        }
      >
        <AuditTable label="Audit log" events={events} isBusy={isFetching} />
      </ListBody>
      <nav className="pager" aria-label="Pages">
        {query.has('before') ? (
          <button type="button" className="button" onClick={() => show({})}>
            Newest
          </button>
        ) : null}
        {data === undefined || data.next === null ? null : (
          <button type="button" className="button" onClick={() => show({ before: data.next ?? '' })}>
            Older
          </button>
        )}
      </nav>
    </WorkPage>
  )
}

function AuditFilters({ query, onShow }: { query: URLSearchParams; onShow: (change: Record<string, string>) => void }) {
  const timeZone = useRouteLoaderData<{ timeZone: string }>('root')?.timeZone
  const [group, setGroup] = useState(query.get('group') ?? '')
  const isSet = filters.some((name) => query.has(name))
  return (
    <form
      className="audit-filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const value = (name: string): string => {
          const entry = form.get(name)
          return typeof entry === 'string' ? entry : ''
        }
        onShow({ group, person: value('person'), from: value('from'), to: value('to') })
      }}
    >
      <WorkFold label="Filters" isSet={isSet}>
        <Select
          name="group"
          label="Kind of action"
          value={group}
          options={[
            { value: '', label: 'All actions' },
            ...auditGroupNames.map((name) => ({ value: name, label: auditGroups[name] })),
          ]}
          onChange={setGroup}
        />
        <TextField
          name="person"
          label="Person (address or id)"
          defaultValue={query.get('person') ?? ''}
          maxLength={300}
        />
        <TextField name="from" type="date" label="From" defaultValue={query.get('from') ?? ''} />
        <TextField name="to" type="date" label="Until" defaultValue={query.get('to') ?? ''} />
        <div className="data-actions">
          <button type="submit" className="button button-solid">
            Filter
          </button>
          {isSet ? (
            <button
              type="button"
              className="button"
              onClick={() => onShow(Object.fromEntries(filters.map((name) => [name, ''])))}
            >
              Clear all
            </button>
          ) : null}
        </div>
        {timeZone === undefined ? null : (
          <p className="work-aside audit-zone">{`Days and times are those of ${timeZone}.`}</p>
        )}
      </WorkFold>
    </form>
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
