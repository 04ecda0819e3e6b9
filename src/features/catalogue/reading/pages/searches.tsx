import { ButtonLink } from '../../../../ui/button.tsx'
import { unindexedMeta } from '../../../../ui/unindexed-meta.ts'
import { WorkEmpty } from '../../../../ui/work-page.tsx'
import { catalogueContext } from '../../page-context.ts'
import { ReadersPage } from '../parts/readers-page.tsx'
import { SearchList } from '../parts/search-list.tsx'
import type { Route } from './+types/searches.ts'

export { staysLoaded as shouldRevalidate } from '../../../../ui/page-meta.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(catalogueContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Saved searches')

export default function SearchesRoute() {
  return (
    <ReadersPage
      title="Saved searches"
      lead="Open them again, or have what is new in them sent to you by email, daily or weekly at your hour."
    >
      <SearchList
        empty={
          <WorkEmpty step={<ButtonLink label="Look around" to="/chooser" />}>
            No search is saved yet. Filter a list or look for a text, and press Save this search.
          </WorkEmpty>
        }
      />
    </ReadersPage>
  )
}
