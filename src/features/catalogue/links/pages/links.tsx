import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { Pager } from '../../../../ui/pager.tsx'
import { Select } from '../../../../ui/select.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkEmpty, WorkPage, WorkTools, WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { RetryButton } from '../../../office/parts/retry-button.tsx'
import { linkStates } from '../../item/link-slots.ts'
import { LinksForAdmin } from '../links-schema.ts'
import { LinksTable } from '../parts/links-table.tsx'
import { countsInWords, emptySentence, stateNames } from '../parts/links-words.ts'
import '../parts/links.css'

export const handle = { title: 'Links' } satisfies TitledPage

export const meta = guardedMeta

/** A requested check is done within seconds: the list is polled until it is, or for a minute. */
const pollEveryMs = 2_000
const pollForMs = 60_000

/** The health of links for administrators. State and page stand in the address. */
export default function LinksRoute() {
  const parameters = new URLSearchParams(useLocation().search)
  const state = linkStates.find((one) => one === parameters.get('state'))
  const page = Math.max(1, Number.parseInt(parameters.get('page') ?? '', 10) || 1)
  const navigate = useNavigate()
  /** The checks that were requested here, by the id of the link, with the time of the check before. */
  const [requested, setRequested] = useState<ReadonlyMap<number, string | null>>(new Map())
  const path = `/api/links?${new URLSearchParams({ page: String(page), ...(state === undefined ? {} : { state }) }).toString()}`
  const { data, error, isFetching, refetch } = useAdminQuery(path, LinksForAdmin, { keepsPrevious: true })

  const isWaiting =
    data?.links.some(({ id, checkedAt }) => requested.has(id) && requested.get(id) === checkedAt) === true
  useEffect(() => {
    if (!isWaiting || isFetching) return
    const timer = setTimeout(refetch, pollEveryMs)
    return () => clearTimeout(timer)
  }, [isWaiting, isFetching, refetch])

  const show = (next: { state?: string; page?: number }): void => {
    const search = new URLSearchParams()
    if (next.state !== undefined && next.state !== '') search.set('state', next.state)
    if (next.page !== undefined && next.page > 1) search.set('page', String(next.page))
    void navigate({ search: search.toString() }, { preventScrollReset: next.page === undefined })
  }

  return (
    <WorkPage
      title="Links"
      lead="The downloads of published entries, and whether they work. Those that visitors cannot get come first."
    >
      {data === undefined ? (
        error === undefined ? (
          <WorkWaiting />
        ) : (
          <StatePage
            drawing="blot"
            title="The links could not be loaded"
            level={2}
            steps={<RetryButton isFetching={isFetching} onRetry={refetch} />}
          >
            <p>{error.message}</p>
          </StatePage>
        )
      ) : (
        <>
          {data.checks.areOn ? null : (
            <Notice tone="calm">
              Links are not checked by the clock: LINK_CHECKS is off. The command <code>check-links</code> checks them
              once.
            </Notice>
          )}
          {data.checks.unreachableSince === null ? null : (
            <Notice tone="failed">
              No other host can be reached at the moment: the network of this server seems to be at fault. No link is
              counted as dead for it.
            </Notice>
          )}
          <WorkTools>
            <p className="links-counts">{countsInWords(data.counts)}</p>
            <Select
              name="state"
              label="State"
              value={state ?? ''}
              options={[
                { value: '', label: 'All states' },
                ...linkStates.map((one) => ({ value: one, label: stateNames[one] })),
              ]}
              onChange={(next) => show({ state: next })}
            />
          </WorkTools>
          {error === undefined ? null : <Notice tone="failed">{error.message}</Notice>}
          {data.links.length === 0 ? (
            <WorkEmpty
              step={
                state === undefined && page === 1 ? (
                  <Link className="button" to="/admin/settings">
                    Open the content
                  </Link>
                ) : (
                  <Link className="button" to={{ search: '' }}>
                    Show all states
                  </Link>
                )
              }
            >
              {emptySentence(state, data.total)}
            </WorkEmpty>
          ) : (
            <LinksTable
              links={data.links}
              isBusy={isFetching}
              canCheck={data.checks.areOn}
              requested={requested}
              onRequested={({ id, checkedAt }) => {
                setRequested((before) => new Map(before).set(id, checkedAt))
                setTimeout(() => {
                  setRequested((before) => new Map([...before].filter(([other]) => other !== id)))
                }, pollForMs)
                refetch()
              }}
            />
          )}
          <Pager page={page} totalPages={data.totalPages} onPage={(next) => show({ state: state ?? '', page: next })} />
        </>
      )}
    </WorkPage>
  )
}
