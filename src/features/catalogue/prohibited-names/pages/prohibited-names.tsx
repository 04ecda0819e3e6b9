import { request } from '../../../../browser/api-client.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { NamesForm } from '../parts/names-form.tsx'
import { namesPath } from '../parts/names-words.ts'
import { ProhibitedNames } from '../prohibited-names-schema.ts'
import '../parts/names.css'

export const handle = { title: 'Prohibited names' } satisfies TitledPage

export const meta = guardedMeta

export default function ProhibitedNamesRoute() {
  const query = useAdminQuery(namesPath, ProhibitedNames)
  const { data, setData } = query
  return (
    <WorkPage
      title="Prohibited names"
      lead="Words that may not appear in the name of an entry, category or request. Published entries are checked against them every night."
    >
      {data === undefined ? (
        <WorkAwaited failure="The prohibited names could not be loaded" query={query} />
      ) : (
        <NamesForm
          names={data}
          readAgain={async () => {
            const current = await request(namesPath, ProhibitedNames)
            setData(() => current)
            return current
          }}
        />
      )}
    </WorkPage>
  )
}
