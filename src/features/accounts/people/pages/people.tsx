import { useState } from 'react'
import { Button, ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { counted } from '../../../../platform/counted.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { downloadFile } from '../../../../browser/api-files.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { RowMenu } from '../../../../ui/row-menu.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { FileButton } from '../../../office/parts/file-button.tsx'
import { ListPage } from '../../../../ui/list-page/list-page.tsx'
import { useAddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { People, type PersonInList } from '../people-schema.ts'
import { UserText } from '../../../office/parts/user-text.tsx'
import { HelpDialog } from '../parts/help-dialog.tsx'
import { RolesOfPerson } from '../parts/roles-of-person.tsx'
import '../parts/people.css'

export const handle = { title: 'People' } satisfies TitledPage

export const meta = guardedMeta

const choices = [
  {
    name: 'role',
    label: 'Role',
    options: optionsOf({ admin: 'Administrators', member: 'No administrators' }, 'Everybody'),
  },
  {
    name: 'state',
    label: 'State',
    options: optionsOf({ unconfirmed: 'Address not confirmed', invited: 'No password yet' }, 'All accounts'),
  },
  {
    name: 'sort',
    label: 'Order',
    options: optionsOf({ seen: 'Last seen first' }, 'Newest first'),
  },
]

/** All members for administrators. Search, filter, order and page stand in the address. */
export default function PeopleRoute() {
  const filters = useAddressFilters()
  const [helped, setHelped] = useState<PersonInList>()
  const [done, setDone] = useState<string>()
  const { data, answeredAt, error, isFetching, refetch } = useAdminQuery(
    `/api/people?${filters.query('search', 'role', 'state', 'sort')}`,
    People,
    { keepsPrevious: true },
  )
  const { people = [], total = 0, totalPages = 0 } = data ?? {}
  const isFiltered = ['search', 'role', 'state'].some((name) => filters.get(name) !== '')
  return (
    <ListPage
      title="People"
      lead="Everyone with an account. Choose a name to see their details and what you can do for them."
      moreActions={
        <>
          <ButtonLink label="Import members" to="/admin/people/import" />
          <FileButton save={() => downloadFile('/api/member-export?format=csv')}>Export members</FileButton>
          <FileButton save={() => downloadFile('/api/member-export?format=jsonl')}>Export as JSON lines</FileButton>
        </>
      }
      filters={filters}
      search={{ label: 'Search people by name or email', placeholder: 'Name or email' }}
      choices={choices}
      count={data === undefined ? '' : `${counted(total, 'member')}${isFiltered ? ' found' : ''}`}
      above={<Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>}
      answer={{ isHere: data !== undefined, error, isFetching, onRetry: refetch }}
      failure="The members could not be loaded"
      shown={people.length}
      empty="Nobody matches. Try fewer words, or other filters."
      step={<ButtonLink label="Show everybody" to={{ search: '' }} />}
      pager={{ filters, totalPages }}
    >
      <DataTable label="People" heads={['Member', 'Role', 'Member since', 'Last seen', 'Actions']} isBusy={isFetching}>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} now={answeredAt} onHelp={() => setHelped(person)} />
        ))}
      </DataTable>
      {helped === undefined ? null : (
        <HelpDialog
          act="link"
          person={helped}
          onDone={(message) => {
            setHelped(undefined)
            setDone(`${helped.name}: ${message}`)
          }}
          onClose={() => setHelped(undefined)}
        />
      )}
    </ListPage>
  )
}

function PersonRow({ person, now, onHelp }: { person: PersonInList; now: number; onHelp: () => void }) {
  const { id, name, email, createdAt, lastSeenAt, hasPassword, isEmailConfirmed } = person
  return (
    <tr>
      <td>
        <TextLink to={`/admin/people/${id}`}>
          <UserText>{name}</UserText>
        </TextLink>
        <UserText className="people-email">{email}</UserText>
        {isEmailConfirmed ? null : <span className="people-email">address not confirmed</span>}
      </td>
      <td>
        <RolesOfPerson {...person} />
      </td>
      <td>
        <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
      </td>
      <td>
        {lastSeenAt !== null ? (
          <Moment at={lastSeenAt} now={now} isToTheHour />
        ) : hasPassword ? (
          'never'
        ) : (
          'never: no password yet'
        )}
      </td>
      <td>
        <span className="data-actions">
          {hasPassword ? null : <Button label="Invite" about={`: ${name}`} aria-haspopup="dialog" onClick={onHelp} />}
          <RowMenu
            about={`: ${name}`}
            items={[
              ...(hasPassword ? [{ label: 'Send a reset link', onSelect: onHelp }] : []),
              { label: 'Open billing', to: `/admin/billing/${id}` },
              { label: 'Show in the audit log', to: `/admin/audit?person=${id}` },
            ]}
          />
        </span>
      </td>
    </tr>
  )
}
