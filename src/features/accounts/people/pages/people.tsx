import { Link } from 'react-router'
import { counted } from '../../../../platform/counted.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { downloadFile } from '../../../../browser/api-files.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { Pager } from '../../../../ui/pager.tsx'
import { Select } from '../../../../ui/select.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkPage, WorkTools, WorkWaiting } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../browser/admin-query.ts'
import { AddressSearch } from '../../parts/address-search.tsx'
import { RetryButton } from '../../parts/retry-button.tsx'
import { useAddressFilters } from '../../parts/use-address-filters.ts'
import { People } from '../people-schema.ts'
import '../parts/people.css'

export const handle = { title: 'People' } satisfies TitledPage

export const meta = guardedMeta

const roleNames = [
  { value: '', label: 'Everybody' },
  { value: 'admin', label: 'Administrators' },
  { value: 'member', label: 'No administrators' },
  { value: 'invited', label: 'No password yet' },
]

const orderNames = [
  { value: '', label: 'Newest first' },
  { value: 'seen', label: 'Last seen first' },
]

/** All members for administrators. Search, filter, order and page stand in the address. */
export default function PeopleRoute() {
  const filters = useAddressFilters()
  const asked = new URLSearchParams({ page: String(filters.page) })
  for (const name of ['search', 'role', 'sort']) if (filters.get(name) !== '') asked.set(name, filters.get(name))
  const { data, answeredAt, error, isFetching, refetch } = useAdminQuery(`/api/people?${asked.toString()}`, People, {
    keepsPrevious: true,
  })
  const isFiltered = filters.get('search') !== '' || filters.get('role') !== ''
  return (
    <WorkPage
      title="People"
      lead="Everybody who has an account. A name leads to what the site knows of them, and to what you can do for them."
      actions={
        <>
          <Link className="button" to="/admin/people/import">
            Import members
          </Link>
          <ExportButtons />
        </>
      }
    >
      <WorkTools>
        <AddressSearch label="Search people by name or email" placeholder="Name or email" />
        <Select
          name="role"
          label="Role"
          value={filters.get('role')}
          options={roleNames}
          onChange={(role) => filters.set('role', role)}
        />
        <Select
          name="sort"
          label="Order"
          value={filters.get('sort')}
          options={orderNames}
          onChange={(sort) => filters.set('sort', sort)}
        />
        <p className="work-aside" role="status">
          {data === undefined || isFetching ? null : countInWords(data.total, isFiltered)}
        </p>
      </WorkTools>
      {data === undefined ? (
        error === undefined ? (
          <WorkWaiting />
        ) : (
          <StatePage
            drawing="blot"
            title="The members could not be loaded"
            level={2}
            steps={<RetryButton isFetching={isFetching} onRetry={refetch} />}
          >
            <p>{error.message}</p>
          </StatePage>
        )
      ) : (
        <>
          {error === undefined ? null : <Notice tone="failed">{error.message}</Notice>}
          {data.people.length === 0 ? (
            <p className="work-empty">
              {data.total > 0
                ? 'This page is beyond the last one.'
                : isFiltered
                  ? 'Nobody matches. Try fewer words, or another role.'
                  : 'Nobody has an account yet.'}
            </p>
          ) : (
            <DataTable label="People" heads={['Member', 'Role', 'Member since', 'Last seen']} isBusy={isFetching}>
              {data.people.map(({ id, name, email, createdAt, lastSeenAt, isAdmin, hasPassword }) => (
                <tr key={id}>
                  <td>
                    <Link className="text-link" to={`/admin/people/${id}`}>
                      <bdi>{name}</bdi>
                    </Link>
                    <bdi className="people-email">{email}</bdi>
                  </td>
                  <td>
                    {isAdmin ? <Badge icon="shield">Administrator</Badge> : hasPassword ? 'Member' : 'No password yet'}
                  </td>
                  <td>
                    <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
                  </td>
                  <td>{lastSeenAt === null ? 'never' : <Moment at={lastSeenAt} now={answeredAt} />}</td>
                </tr>
              ))}
            </DataTable>
          )}
          <Pager page={filters.page} totalPages={data.totalPages} onPage={filters.setPage} />
        </>
      )}
    </WorkPage>
  )
}

function countInWords(total: number, isFiltered: boolean): string {
  const people = counted(total, 'member')
  return isFiltered ? `${people} found` : people
}

function ExportButtons() {
  const download = useApiMutation<string, 'csv' | 'jsonl'>({
    mutationFn: (format) => downloadFile(`/api/member-export?format=${format}`),
    onError: recheckAccess,
  })
  return (
    <>
      {(['csv', 'jsonl'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="button"
          aria-disabled={download.isPending}
          onClick={() => {
            if (!download.isPending) download.mutate(format)
          }}
        >
          <Icon name="download" />
          {download.isPending && download.variables === format
            ? 'Preparing...'
            : format === 'csv'
              ? 'Export members'
              : 'Export as JSON lines'}
        </button>
      ))}
      <Announced>
        {download.error === null ? null : <Notice tone="failed">{download.error.message}</Notice>}
        {download.data === undefined ? null : <Notice tone="done">{`Saved as ${download.data}.`}</Notice>}
      </Announced>
    </>
  )
}
