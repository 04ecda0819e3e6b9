import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { downloadFile } from '../../../browser/api-files.ts'
import { timeInWords } from '../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { refetchAnswersUnder } from '../../../browser/queries.ts'
import { counted } from '../../../platform/counted.ts'
import { ListPage } from '../../../ui/list-page/list-page.tsx'
import { SelectionAct, SelectionTools, useSelection } from '../../../ui/list-page/selection.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { useIsOnline } from '../../../ui/use-is-online.ts'
import { useAdminPages } from '../../office/browser/admin-query.ts'
import { useAddressFilters } from '../../../ui/list-page/use-address-filters.ts'
import { FileButton } from '../../office/parts/file-button.tsx'
import {
  type DecidedNotices,
  maxDecidedAtOnce,
  type NoticeInQueue,
  NoticesForDesk,
  queueStates,
} from '../desk/desk-schema.ts'
import { kindLabels, noticeKinds } from '../notice/notice-kinds.ts'
import { DecideDialog } from '../parts/desk/decide-dialog.tsx'
import { DecidedMany } from '../parts/desk/decided-many.tsx'
import { decideManyInWords, emptyInWords, stateLabels } from '../parts/desk/desk-words.ts'
import { noticesPath, queuePath, readWanted, searchOfNotices, type WantedNotices } from '../parts/desk/notice-paths.ts'
import { isDecidable, NoticeTable } from '../parts/desk/notice-table.tsx'
import { useNow } from '../parts/desk/use-now.ts'
import '../parts/desk/desk.css'

export const handle = { title: 'Notices' } satisfies TitledPage

export const meta = guardedMeta

/** This many pages of the list are refreshed automatically; a longer list waits for a request. */
const maxRefreshedPages = 4

const kindOptions = [
  { value: '', label: 'All kinds' },
  ...noticeKinds.map((kind) => ({ value: kind, label: kindLabels[kind] })),
]

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
  const [decided, setDecided] = useState<DecidedNotices>()
  useRefreshed(now, pages.length > 0 && pages.length <= maxRefreshedPages, refetch)
  const [first] = pages
  const counts = first?.counts
  const notices = pages.flatMap((page) => page.notices)
  return (
    <ListPage
      title="Notices"
      lead="Reports from people who want something taken down. The two most serious kinds come first, then those with the least time left."
      filters={filters}
      search={{ label: 'Search notices', placeholder: 'Reference, sender or entry' }}
      choices={[{ name: 'kind', label: 'Kind', value: wanted.kind, options: kindOptions }]}
      above={
        <>
          <div className="desk-lists">
            <div className="segments" role="group" aria-label="Notices">
              {queueStates.map((state) => (
                <button
                  key={state}
                  type="button"
                  aria-pressed={state === wanted.state}
                  onClick={() => filters.set('state', state === 'open' ? '' : state)}
                >
                  {(state === 'open' || state === 'incomplete') && counts !== undefined
                    ? `${stateLabels[state]} (${counts[state].toLocaleString('en-US')})`
                    : stateLabels[state]}
                </button>
              ))}
            </div>
            {counts === undefined ? null : <Standing counts={counts} answeredAt={answeredAt} />}
          </div>
          <Announced>{decided === undefined ? null : <DecidedMany decided={decided} />}</Announced>
          {first === undefined ? null : <Offline answeredAt={answeredAt} />}
          {wanted.network === '' ? null : (
            <p>
              {`Only notices from the same network as ${wanted.network}. A network is kept for 14 days. `}
              <Link className="text-link" to={{ search: searchOfNotices({ ...wanted, network: '' }) }}>
                Show all
              </Link>
            </p>
          )}
        </>
      }
      answer={{ isHere: first !== undefined, error, isFetching, onRetry: more }}
      failure="The notices could not be loaded"
      shown={notices.length}
      empty={emptyInWords(wanted)}
      step={<NextStep wanted={wanted} />}
      more={{ hasMore, onMore: more }}
      below={first !== undefined && wanted.state === 'decided' ? <Statements /> : null}
    >
      <Notices
        key={searchOfNotices(wanted)}
        label={`Notices: ${stateLabels[wanted.state]}`}
        notices={notices}
        isBusy={isPrevious}
        now={now}
        onDecided={(results) => {
          setDecided(results)
          refetchAnswersUnder(noticesPath)
        }}
      />
    </ListPage>
  )
}

/** The list, and what is decided for several of it at once. */
function Notices({
  notices,
  onDecided,
  ...table
}: {
  label: string
  notices: readonly NoticeInQueue[]
  isBusy: boolean
  now: number
  onDecided: (decided: DecidedNotices) => void
}) {
  const selection = useSelection()
  const [isDeciding, setIsDeciding] = useState(false)
  const decidable = notices.filter(isDecidable)
  const first = decidable.slice(0, maxDecidedAtOnce)
  const picked = decidable.filter(({ reference }) => selection.has(reference)).slice(0, maxDecidedAtOnce)
  return (
    <>
      <SelectionTools ids={first.map(({ reference }) => reference)} selection={selection}>
        <SelectionAct
          count={picked.length}
          label={decideManyInWords('', picked.length)}
          labelWithout="Decide selected"
          onAct={() => setIsDeciding(true)}
        />
      </SelectionTools>
      <NoticeTable
        {...table}
        notices={notices}
        picked={new Set(picked.map(({ reference }) => reference))}
        onPick={(reference, isPicked) => selection.choose([reference], isPicked)}
      />
      {isDeciding ? (
        <DecideDialog
          notices={picked}
          onDone={(results) => {
            setIsDeciding(false)
            selection.clear()
            onDecided(results)
          }}
          onClose={() => setIsDeciding(false)}
        />
      ) : null}
    </>
  )
}

/** The export for an authority. */
function Statements() {
  return (
    <div className="desk-statements">
      <p className="work-aside">
        All decisions that removed or restricted something, as CSV with the fields of the EU database of statements of
        reasons.
      </p>
      <FileButton save={() => downloadFile(`${noticesPath}/statements`)}>Export the statements</FileButton>
    </div>
  )
}

/** The most urgent work, and the time of the figures. */
function Standing({
  counts: { overdue, appeals, counterNotices },
  answeredAt,
}: {
  counts: NoticesForDesk['counts']
  answeredAt: number
}) {
  const words = [
    ...(overdue === 0 ? [] : [`${overdue.toLocaleString('en-US')} overdue`]),
    ...(appeals === 0 ? [] : [`${counted(appeals, 'appeal')} to answer`]),
    ...(counterNotices === 0 ? [] : [counted(counterNotices, 'open counter-notice')]),
    `as of ${timeInWords(new Date(answeredAt).toISOString())}`,
  ].join(', ')
  return <p className="work-aside">{`${words.charAt(0).toUpperCase()}${words.slice(1)}.`}</p>
}

function Offline({ answeredAt }: { answeredAt: number }) {
  return useIsOnline() ? null : (
    <Notice tone="calm">
      {`You are offline. This list is from ${timeInWords(new Date(answeredAt).toISOString())}. The times left keep counting.`}
    </Notice>
  )
}

function NextStep({ wanted }: { wanted: WantedNotices }) {
  if (wanted.kind === '' && wanted.search === '' && wanted.network === '' && wanted.state === 'open') {
    return (
      <Link className="button" to="/report">
        Open the report page
      </Link>
    )
  }
  return (
    <Link className="button" to={{ search: '' }}>
      Show all waiting notices
    </Link>
  )
}

/** Has a list asked for anew with every minute, while the tab is looked at. */
function useRefreshed(now: number, isOn: boolean, refetch: () => void): void {
  const [refetchedAt, setRefetchedAt] = useState(now)
  useEffect(() => {
    if (refetchedAt === now) return
    setRefetchedAt(now)
    if (isOn && document.visibilityState === 'visible') refetch()
  }, [refetchedAt, now, isOn, refetch])
}
