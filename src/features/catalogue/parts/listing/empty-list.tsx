import { Link } from 'react-router'
import { useSession } from '../../../../browser/session-store.ts'
import { StatePage } from '../../../../ui/state-page.tsx'
import type { ListingFilters } from '../../item/listing.ts'
import { writeFilters } from '../../search/listing-address.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import { NearestList } from '../list/entry-list.tsx'
import type { LoadedPage } from '../list/list-query.ts'
import { activeFilters } from '../../search/filters-in-words.ts'

/** Replaces the entries where there are none: why, and the next step. */
export default function EmptyList({
  shelf,
  last,
  requested,
}: {
  shelf: Shelf
  last: LoadedPage
  requested: ListingFilters
}) {
  const { access } = useSession()
  const { path: pathname, empty } = shelf
  if (last.total > 0) {
    return (
      <StatePage
        drawing="empty"
        title={`There is no page ${requested.page}`}
        level={2}
        steps={
          <Link className="button" to={{ pathname, search: writeFilters({ ...requested, page: last.totalPages }) }}>
            Go to the last page
          </Link>
        }
      >
        <p>{`The last page of this list is ${last.totalPages}.`}</p>
      </StatePage>
    )
  }
  if (activeFilters({ ...requested, sort: '' }).length === 0) {
    return <NothingPublished title={empty.title} isAdmin={access.isAdmin} />
  }
  return (
    <>
      <StatePage
        drawing="empty"
        title={empty.title}
        level={2}
        steps={
          <>
            <Link className="button" to={pathname} preventScrollReset>
              Clear all filters
            </Link>
            {requested.search === '' ? null : (
              <Link className="button" to={`/requests?${new URLSearchParams({ title: requested.search }).toString()}`}>
                Ask for it
              </Link>
            )}
          </>
        }
      >
        <p>{empty.advice}</p>
      </StatePage>
      {last.nearest.length === 0 ? null : (
        <section className="nearest" aria-labelledby="nearest">
          <h3 id="nearest">Nearest names</h3>
          <p>Nothing matches your text exactly. These come closest.</p>
          <NearestList rows={last.nearest} look={shelf.row} />
        </section>
      )}
    </>
  )
}

/** A list without any entry; administrators are led to where entries come from. */
export function NothingPublished({ title, isAdmin }: { title: string; isAdmin: boolean }) {
  return (
    <StatePage
      drawing="empty"
      title={title}
      level={2}
      steps={
        isAdmin ? (
          <>
            <Link className="button button-solid" to="/admin/import">
              Import a catalogue
            </Link>
            <Link className="button" to="/admin/settings?edit=new">
              Add New Content
            </Link>
          </>
        ) : undefined
      }
    >
      <p>Nothing has been published here yet.</p>
    </StatePage>
  )
}
