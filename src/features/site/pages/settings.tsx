import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { WorkAwaited } from '../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { SettingsInForce } from '../settings-schema.ts'

export const handle = { title: 'Settings' } satisfies TitledPage

export const meta = guardedMeta

export default function SettingsRoute() {
  const query = useAdminQuery('/api/admin/settings', SettingsInForce)
  const isHere = query.data !== undefined
  // The search leads to one of them.
  const asked = useLocation().hash.slice(1)
  useEffect(() => {
    if (isHere && asked !== '') document.getElementById(asked)?.scrollIntoView({ block: 'center' })
  }, [isHere, asked])
  return (
    <WorkPage
      title="Settings"
      lead="Read when the server started. Change them where it runs, in its environment or its settings file."
    >
      {query.data === undefined ? (
        <WorkAwaited query={query} />
      ) : (
        <DataTable label="Settings in force" heads={['Name', 'Value', 'From']}>
          {query.data.map(({ name, value, source }) => (
            <tr key={name} id={name} className={name === asked ? 'is-asked' : undefined}>
              <td>
                <code>{name}</code>
              </td>
              <td>{value === '' ? 'unset' : value}</td>
              <td>{source}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </WorkPage>
  )
}
