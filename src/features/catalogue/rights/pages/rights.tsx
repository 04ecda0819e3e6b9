import { useState } from 'react'
import { ButtonLink } from '../../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { ListPage } from '../../../../ui/list-page/list-page.tsx'
import { useAddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { useAdminPages } from '../../../office/browser/admin-query.ts'
import { RightsForAdmin, type RightsList } from '../rights-schema.ts'
import { RightsTable } from '../parts/rights-table.tsx'
import { emptySentences, listInWords } from '../parts/rights-words.ts'
import '../parts/rights.css'

export const handle = { title: 'Rights' } satisfies TitledPage

export const meta = guardedMeta

/** Entries that need a hand stand first. */
const lists: readonly RightsList[] = ['lapsed', 'lapsing']

/**
 * The entries that the site has taken off, and those whose rights end within 30 days. The address says which list is
 * shown; by default the first, while it has any.
 */
export default function RightsRoute() {
  const filters = useAddressFilters()
  const asked = lists.find((one) => one === filters.get('show'))
  const [isNoneOff, setIsNoneOff] = useState(false)
  const show = asked ?? (isNoneOff ? 'lapsing' : 'lapsed')
  const { pages, answeredAt, error, isFetching, hasMore, more } = useAdminPages(
    `/api/rights?show=${show}`,
    RightsForAdmin,
  )
  const [first] = pages
  const counts = first?.counts
  if (asked === undefined && !isNoneOff && counts?.lapsed === 0) setIsNoneOff(true)
  const entries = pages.flatMap((page) => page.entries)
  return (
    <ListPage
      title="Rights"
      lead="Entries taken offline because their rights ended, and entries whose rights end soon. Renew the rights on the entry’s form."
      filters={filters}
      tools={
        <div className="segments rights-lists" role="group" aria-label="Entries">
          {lists.map((each) => (
            <button key={each} type="button" aria-pressed={each === show} onClick={() => filters.set('show', each)}>
              {listInWords(each, counts)}
            </button>
          ))}
        </div>
      }
      answer={{ isHere: first !== undefined, error, isFetching, onRetry: more }}
      failure="The rights could not be loaded"
      shown={entries.length}
      empty={emptySentences[show]}
      step={first === undefined ? null : <NextStep show={show} counts={first.counts} />}
      more={{ hasMore, onMore: more }}
    >
      <RightsTable show={show} entries={entries} isBusy={isFetching} now={answeredAt} />
    </ListPage>
  )
}

function NextStep({ show, counts }: { show: RightsList; counts: RightsForAdmin['counts'] }) {
  if (show === 'lapsing' && counts.lapsed > 0) {
    return <ButtonLink label="Show entries taken offline" to={{ search: 'show=lapsed' }} />
  }
  if (show === 'lapsed' && counts.lapsing > 0) {
    return <ButtonLink label="Show rights that end soon" to={{ search: 'show=lapsing' }} />
  }
  return <ButtonLink label="Open the content" to="/admin/settings" />
}
