import { ButtonLink } from '../../../../ui/button.tsx'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { keepSavedPages } from '../../../../browser/kept/saved-pages.ts'
import { unindexedMeta } from '../../../../ui/unindexed-meta.ts'
import { WorkEmpty } from '../../../../ui/work-page.tsx'
import { catalogueContext } from '../../page-context.ts'
import type { RememberedEntry } from '../../saved/saved-schema.ts'
import { ReadersPage } from '../parts/readers-page.tsx'
import { RememberedList, type RememberedTexts } from '../parts/remembered-list.tsx'
import type { Route } from './+types/saved.ts'

export { staysLoaded as shouldRevalidate } from '../../../../ui/page-meta.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(catalogueContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Saved entries')

const texts: RememberedTexts = {
  failed: 'Your saved entries could not be loaded.',
  when: 'Saved',
  takeOut: 'Remove',
  takenOut: 'Removed.',
}

/** Has their pages open without a connection. Where that fails, they open with one. */
function keepPages(entries: readonly RememberedEntry[]): void {
  if (!('caches' in window)) return
  keepSavedPages(entries.flatMap(({ path }) => path ?? [])).catch(() => undefined)
}

export default function SavedRoute() {
  return (
    <ReadersPage title="Saved entries" lead="Entries you saved for later. Only you can see them.">
      <RememberedList
        path="/account/saved-entries"
        onShown={keepPages}
        texts={texts}
        putBack={({ slug }) => request(`/account/saved-entries/${slug}`, noAnswer, { method: 'PUT' })}
        empty={
          <WorkEmpty step={<ButtonLink label="Look around" to="/chooser" />}>
            Nothing saved yet. Press the ribbon beside an entry, Save on its page, or S in a list.
          </WorkEmpty>
        }
      />
    </ReadersPage>
  )
}
