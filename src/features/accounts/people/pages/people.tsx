import { Link } from 'react-router'
import { counted } from '../../../../platform/counted.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { downloadFile } from '../../../../browser/api-files.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Pager } from '../../../../ui/pager.tsx'
import { Select } from '../../../../ui/select.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkEmpty, WorkPage, WorkTools, WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { AddressSearch } from '../../../office/parts/address-search.tsx'
import { FileButton } from '../../../office/parts/file-button.tsx'
import { RetryButton } from '../../../office/parts/retry-button.tsx'
import { useAddressFilters } from '../../../office/parts/use-address-filters.ts'
import { People } from '../people-schema.ts'
import { GivenText } from '../../../office/parts/given-text.tsx'
import { RolesOfPerson } from '../parts/roles-of-person.tsx'
import '../parts/people.css'

export const handle = { title: 'People' } satisfies TitledPage

export const meta = guardedMeta

const roleNames = [
  { value: '', label: 'Everybody' },
  { value: 'admin', label: 'Administrators' },
  { value: 'member', label: 'No administrators' },
]

const stateNames = [
  { value: '', label: 'All accounts' },
  { value: 'unconfirmed', label: 'Address not confirmed' },
  { value: 'invited', label: 'No password yet' },
]

const orderNames = [
  { value: '', label: 'Newest first' },
  { value: 'seen', label: 'Last seen first' },
]

/** All members for administrators. Search, filter, order and page stand in the address. */
export default function PeopleRoute() {
  const filters = useAddressFilters()
  const requested = new URLSearchParams({ page: String(filters.page) })
  for (const name of ['search', 'role', 'state', 'sort'])
    if (filters.get(name) !== '') requested.set(name, filters.get(name))
  const { data, answeredAt, error, isFetching, refetch } = useAdminQuery(
    `/api/people?${requested.toString()}`,
    People,
    {
      keepsPrevious: true,
    },
  )
  const isFiltered = ['search', 'role', 'state'].some((name) => filters.get(name) !== '')
  return (
    <WorkPage
      title="People"
      lead="Everyone with an account. Choose a name to see their details and what you can do for them."
      moreActions={
        <>
          <Link className="button" to="/admin/people/import">
            Import members
          </Link>
          <FileButton save={() => downloadFile('/api/member-export?format=csv')}>Export members</FileButton>
          <FileButton save={() => downloadFile('/api/member-export?format=jsonl')}>Export as JSON lines</FileButton>
        </>
      }
    >
      <WorkTools
        isSet={['role', 'state', 'sort'].some((name) => filters.get(name) !== '')}
        search={<AddressSearch label="Search people by name or email" placeholder="Name or email" />}
      >
        <Select
          name="role"
          label="Role"
          value={filters.get('role')}
          options={roleNames}
          onChange={(role) => filters.set('role', role)}
        />
        <Select
          name="state"
          label="State"
          value={filters.get('state')}
          options={stateNames}
          onChange={(state) => filters.set('state', state)}
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
            <WorkEmpty
              step={
                data.total > 0 ? (
                  <button type="button" className="button" onClick={() => filters.setPage(1)}>
                    Go to the first page
                  </button>
                ) : (
                  <Link className="button" to={{ search: '' }}>
                    Show everybody
                  </Link>
                )
              }
            >
              {data.total > 0
                ? 'This page is beyond the last one.'
                : 'Nobody matches. Try fewer words, or other filters.'}
            </WorkEmpty>
          ) : (
            <DataTable label="People" heads={['Member', 'Role', 'Member since', 'Last seen']} isBusy={isFetching}>
              {data.people.map(
                ({
                  id,
                  name,
                  email,
                  createdAt,
                  lastSeenAt,
                  isAdmin,
                  isSafetyOfficer,
                  hasPassword,
                  isEmailConfirmed,
                }) => (
                  <tr key={id}>
                    <td>
                      <Link className="text-link" to={`/admin/people/${id}`}>
                        <GivenText>{name}</GivenText>
                      </Link>
                      <GivenText className="people-email">{email}</GivenText>
                      {isEmailConfirmed ? null : <span className="people-email">address not confirmed</span>}
                    </td>
                    <td>
                      <RolesOfPerson isAdmin={isAdmin} isSafetyOfficer={isSafetyOfficer} />
                    </td>
                    <td>
                      <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
                    </td>
                    <td>
                      {lastSeenAt !== null ? (
                        <Moment at={lastSeenAt} now={answeredAt} />
                      ) : hasPassword ? (
                        'never'
                      ) : (
                        'never: no password yet'
                      )}
                    </td>
                  </tr>
                ),
              )}
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
