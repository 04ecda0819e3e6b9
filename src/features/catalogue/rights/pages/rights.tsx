import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkEmpty, WorkPage, WorkTools, WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminPages } from '../../../office/browser/admin-query.ts'
import { RetryButton } from '../../../office/parts/retry-button.tsx'
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
  const given = new URLSearchParams(useLocation().search).get('show')
  const asked = lists.find((one) => one === given)
  const [isNoneOff, setIsNoneOff] = useState(false)
  const show = asked ?? (isNoneOff ? 'lapsing' : 'lapsed')
  const navigate = useNavigate()
  const { pages, answeredAt, error, isFetching, hasMore, more } = useAdminPages(
    `/api/rights?show=${show}`,
    RightsForAdmin,
  )
  const [first] = pages
  const counts = first?.counts
  if (asked === undefined && !isNoneOff && counts?.lapsed === 0) setIsNoneOff(true)
  return (
    <WorkPage
      title="Rights"
      lead="Entries that the site has taken off because their rights ended, and entries whose rights end soon. Both are renewed on the form of the entry."
    >
      <WorkTools>
        <div className="segments rights-lists" role="group" aria-label="Entries">
          {lists.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === show}
              onClick={() => void navigate({ search: `show=${each}` }, { preventScrollReset: true })}
            >
              {listInWords(each, counts)}
            </button>
          ))}
        </div>
      </WorkTools>
      {first === undefined ? (
        error === undefined ? (
          <WorkWaiting />
        ) : (
          <StatePage
            drawing="blot"
            title="The rights could not be loaded"
            level={2}
            steps={<RetryButton isFetching={isFetching} onRetry={more} />}
          >
            <p>{error.message}</p>
          </StatePage>
        )
      ) : first.entries.length === 0 ? (
        <WorkEmpty step={<NextStep show={show} counts={first.counts} />}>{emptySentences[show]}</WorkEmpty>
      ) : (
        <>
          <RightsTable
            show={show}
            entries={pages.flatMap(({ entries }) => entries)}
            isBusy={isFetching}
            now={answeredAt}
          />
          <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
        </>
      )}
    </WorkPage>
  )
}

/** A link to the list with work. */
function NextStep({ show, counts }: { show: RightsList; counts: RightsForAdmin['counts'] }) {
  if (show === 'lapsing' && counts.lapsed > 0) {
    return (
      <Link className="button" to={{ search: 'show=lapsed' }}>
        Show what was taken off
      </Link>
    )
  }
  if (show === 'lapsed' && counts.lapsing > 0) {
    return (
      <Link className="button" to={{ search: 'show=lapsing' }}>
        Show what ends
      </Link>
    )
  }
  return (
    <Link className="button" to="/admin/settings">
      Open the content
    </Link>
  )
}
