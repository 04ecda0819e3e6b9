import { Button } from '../../../../ui/button.tsx'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { AddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { optionsOf, Select } from '../../../../ui/select.tsx'
import { WorkEmpty, WorkTools } from '../../../../ui/work-page.tsx'
import { useAdminPages } from '../../../office/browser/admin-query.ts'
import { UserText } from '../../../office/parts/user-text.tsx'
import { MemberImportRows, rowOutcomes } from '../import-schema.ts'
import { outcomeNames } from './import-words.ts'

const tints = { new: undefined, existing: 'is-off', rejected: 'is-danger', made: 'is-good' } as const

export function ImportRows({ path, filters }: { path: string; filters: AddressFilters }) {
  const outcome = rowOutcomes.find((one) => one === filters.get('outcome'))
  const { pages, error, isFetching, hasMore, more } = useAdminPages(
    `${path}/rows${outcome === undefined ? '' : `?outcome=${outcome}`}`,
    MemberImportRows,
    { keepsPrevious: true },
  )
  const rows = pages.flatMap((page) => page.rows)
  return (
    <>
      <WorkTools>
        <Select
          name="outcome"
          label="Rows"
          value={outcome ?? ''}
          options={optionsOf(outcomeNames, 'All rows')}
          onChange={(next) => filters.set('outcome', next)}
        />
      </WorkTools>
      {pages.length === 0 ? null : rows.length === 0 ? (
        <WorkEmpty step={<Button label="Show all rows" onClick={() => filters.set('outcome', '')} />}>
          No such rows.
        </WorkEmpty>
      ) : (
        <DataTable
          label="Rows of the file"
          heads={['Line', 'Member', 'Outcome', 'Member since', 'VIP until']}
          figures={['Line']}
          isBusy={isFetching}
        >
          {rows.map((row) => (
            <tr key={row.line} className={tints[row.outcome]}>
              <td className="data-figure">{row.line}</td>
              <td>
                <UserText>{row.name}</UserText>
                <br />
                <UserText>{row.email}</UserText>
              </td>
              <td>
                {outcomeNames[row.outcome]}
                {row.reason === null ? null : (
                  <>
                    <br />
                    {row.reason}
                  </>
                )}
              </td>
              <td>{row.createdAt === null ? '' : dayInWords(row.createdAt)}</td>
              <td>{row.vipUntil === null ? '' : dayInWords(row.vipUntil)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      <LoadMore key={outcome} hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
    </>
  )
}
