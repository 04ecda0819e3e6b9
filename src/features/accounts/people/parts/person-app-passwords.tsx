import { dayInWords } from '../../../../browser/format-instant.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import type { PersonPageProps } from '../person-page.ts'

/** The app passwords of a member; nothing for most, who have none. */
export function PersonAppPasswords({ person: { appPasswords }, now }: PersonPageProps) {
  if (appPasswords.length === 0) return null
  return (
    <WorkSection title="App passwords">
      <DataTable label="App passwords" heads={['Name', 'Made', 'Last used']}>
        {appPasswords.map(({ id, name, createdAt, lastUsedAt }) => (
          <tr key={id}>
            <td>
              <UserText>{name}</UserText>
            </td>
            <td>
              <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
            </td>
            <td>{lastUsedAt === null ? 'Not used yet' : <Moment at={lastUsedAt} now={now} isToTheHour />}</td>
          </tr>
        ))}
      </DataTable>
      <p>
        Reading apps open the catalogues with these. Signing this member out everywhere, or changing their password,
        ends them.
      </p>
    </WorkSection>
  )
}
