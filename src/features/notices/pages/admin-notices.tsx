import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { refetchAnswersUnder } from '../../../browser/queries.ts'
import { useNow } from '../../../browser/use-now.ts'
import { ListPage } from '../../../ui/list-page/list-page.tsx'
import { optionsOf } from '../../../ui/select.tsx'
import { Announced } from '../../../ui/notice.tsx'
import { useAdminPages } from '../../office/browser/admin-query.ts'
import { useAddressFilters } from '../../../ui/list-page/use-address-filters.ts'
import { NoticesForDesk } from '../desk/desk-schema.ts'
import { kindLabels, noticeKinds } from '../notice/notice-kinds.ts'
import { DoneWithMany } from '../parts/desk/done-with-many.tsx'
import { type DoneToMany, emptyInWords, isFiltered, stateLabels } from '../parts/desk/desk-words.ts'
import { noticesPath, queuePath, readWanted, searchOfNotices, type WantedNotices } from '../parts/desk/notice-paths.ts'
import { NoticesToWorkOn } from '../parts/desk/notice-table.tsx'
import { QueueHead } from '../parts/desk/queue-head.tsx'
import '../parts/desk/desk.css'

export const handle = { title: 'Notices' } satisfies TitledPage

export const meta = guardedMeta

/** This many pages of the list are refreshed automatically; a longer list waits for a request. */
const maxRefreshedPages = 4

const kindOptions = [
  { value: '', label: 'All kinds' },
  ...noticeKinds.map((kind) => ({ value: kind, label: kindLabels[kind] })),
]

const assignedOptions = optionsOf({ mine: 'Mine', nobody: 'Assigned to nobody' }, 'Assigned to anybody')

/** The desk: notices by the time that is left. The address holds the filters. */
export default function NoticesRoute() {
  const wanted = readWanted(useLocation().search)
  const filters = useAddressFilters()
  const { pages, answeredAt, error, isFetching, isPrevious, hasMore, more, refetch } = useAdminPages(
    queuePath(wanted),
    NoticesForDesk,
    { keepsPrevious: true },
  )
  const now = useNow()
  const [done, setDone] = useState<DoneToMany>()
  useRefreshed(now, pages.length > 0 && pages.length <= maxRefreshedPages, refetch)
  const [first] = pages
  const notices = pages.flatMap((page) => page.notices)
  return (
    <ListPage
      title="Notices"
      lead="Reports from people who want something taken down. The two most serious kinds come first, then those with the least time left."
      filters={filters}
      search={{ label: 'Search notices', placeholder: 'Reference, sender or entry' }}
      choices={[
        { name: 'kind', label: 'Kind', value: wanted.kind, options: kindOptions },
        {
          name: 'assigned',
          label: 'Assigned to',
          value: wanted.assigned === 'all' ? '' : wanted.assigned,
          options: assignedOptions,
        },
      ]}
      above={
        <>
          <QueueHead wanted={wanted} filters={filters} counts={first?.counts} answeredAt={answeredAt} />
          <Announced>{done === undefined ? null : <DoneWithMany done={done} />}</Announced>
        </>
      }
      answer={{ isHere: first !== undefined, error, isFetching, onRetry: more }}
      failure="The notices could not be loaded"
      shown={notices.length}
      empty={emptyInWords(wanted)}
      step={<NextStep wanted={wanted} />}
      more={{ hasMore, onMore: more }}
    >
      <NoticesToWorkOn
        key={searchOfNotices(wanted)}
        label={`Notices: ${stateLabels[wanted.state]}`}
        notices={notices}
        isBusy={isPrevious}
        now={now}
        searchOf={(sender) => searchOfNotices({ ...wanted, search: sender })}
        onDone={(what) => {
          setDone(what)
          refetchAnswersUnder(noticesPath)
        }}
      />
    </ListPage>
  )
}

/** Fetches a list again with every minute, while the tab is visible. */
function useRefreshed(now: number, isOn: boolean, refetch: () => void): void {
  const [refetchedAt, setRefetchedAt] = useState(now)
  useEffect(() => {
    if (refetchedAt === now) return
    setRefetchedAt(now)
    if (isOn && document.visibilityState === 'visible') refetch()
  }, [refetchedAt, now, isOn, refetch])
}

function NextStep({ wanted }: { wanted: WantedNotices }) {
  if (!isFiltered(wanted) && wanted.state === 'open') {
    return <ButtonLink label="Open the report page" to="/report" />
  }
  return <ButtonLink label="Show all waiting notices" to={{ search: '' }} />
}
