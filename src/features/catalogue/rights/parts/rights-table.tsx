import { TextLink } from '../../../../ui/button.tsx'
import { Moment } from '../../../../browser/moment.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import type { RightsEntry, RightsList } from '../rights-schema.ts'
import { endInWords, lastDayInWords, leftInWords, reasonInWords } from './rights-words.ts'

export function RightsTable({
  show,
  entries,
  isBusy,
  now,
}: {
  show: RightsList
  entries: readonly RightsEntry[]
  isBusy: boolean
  now: number
}) {
  // A column that says the same of each entry says nothing.
  const hasConsents = entries.some(({ cause, details }) => cause === 'consent' || details.length > 0)
  const heads =
    show === 'lapsed'
      ? ['Entry', 'Why', 'Taken off']
      : ['Entry', ...(hasConsents ? ['What ends'] : []), 'Last day', 'Left']
  return (
    <DataTable label={show === 'lapsing' ? 'Rights that end' : 'Entries taken offline'} heads={heads} isBusy={isBusy}>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <FormLink entry={entry} />
          </td>
          {show === 'lapsing' ? (
            <>
              {hasConsents ? <td>{endInWords(entry)}</td> : null}
              <td>
                <time dateTime={entry.at}>{lastDayInWords(entry.at)}</time>
              </td>
              <td>{leftInWords(entry.at, now)}</td>
            </>
          ) : (
            <>
              <td className="rights-reason">{reasonInWords(entry)}</td>
              <td>
                <Moment at={entry.at} now={now} />
              </td>
            </>
          )}
        </tr>
      ))}
    </DataTable>
  )
}

function FormLink({ entry: { id, name } }: { entry: RightsEntry }) {
  return (
    <TextLink to={`/admin/settings?edit=${id}`}>
      <bdi>{name}</bdi>
    </TextLink>
  )
}
