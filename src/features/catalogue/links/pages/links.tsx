import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { ListPage } from '../../../../ui/list-page/list-page.tsx'
import { useAddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
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

const stateOptions = optionsOf(stateNames, 'All states')

/** The health of links for administrators. State and page stand in the address. */
export default function LinksRoute() {
  const filters = useAddressFilters()
  const state = linkStates.find((one) => one === filters.get('state'))
  /** The checks that were requested here, by the id of the link, with the time of the check before. */
  const [requested, setRequested] = useState<ReadonlyMap<number, string | null>>(new Map())
  const { data, error, isFetching, refetch } = useAdminQuery(
    `/api/links?${filters.query(...(state === undefined ? [] : ['state']))}`,
    LinksForAdmin,
    { keepsPrevious: true },
  )
  const { links = [], totalPages = 0, total = 0, checks } = data ?? {}

  const isWaiting = links.some(({ id, checkedAt }) => requested.has(id) && requested.get(id) === checkedAt)
  useEffect(() => {
    if (!isWaiting || isFetching) return
    const timer = setTimeout(refetch, pollEveryMs)
    return () => clearTimeout(timer)
  }, [isWaiting, isFetching, refetch])

  return (
    <ListPage
      title="Links"
      lead="The downloads of published entries, and whether they work. Those that visitors cannot get come first."
      filters={filters}
      choices={[{ name: 'state', label: 'State', value: state ?? '', options: stateOptions }]}
      tools={data === undefined ? null : <p className="links-counts">{countsInWords(data.counts)}</p>}
      above={checks === undefined ? null : <StandingOfChecks checks={checks} />}
      answer={{ isHere: data !== undefined, error, isFetching, onRetry: refetch }}
      failure="The links could not be loaded"
      shown={links.length}
      empty={emptySentence(state, total)}
      step={
        state === undefined ? (
          <Link className="button" to="/admin/settings">
            Open the content
          </Link>
        ) : (
          <Link className="button" to={{ search: '' }}>
            Show all states
          </Link>
        )
      }
      pager={{ filters, totalPages }}
    >
      <LinksTable
        links={links}
        isBusy={isFetching}
        canCheck={checks?.areOn === true}
        requested={requested}
        onRequested={({ id, checkedAt }) => {
          setRequested((before) => new Map(before).set(id, checkedAt))
          setTimeout(() => {
            setRequested((before) => new Map([...before].filter(([other]) => other !== id)))
          }, pollForMs)
          refetch()
        }}
      />
    </ListPage>
  )
}

function StandingOfChecks({ checks: { areOn, unreachableSince } }: Pick<LinksForAdmin, 'checks'>) {
  return (
    <>
      {areOn ? null : (
        <Notice tone="calm">
          Links are not checked by the clock: LINK_CHECKS is off. The command <code>check-links</code> checks them once.
        </Notice>
      )}
      {unreachableSince === null ? null : (
        <Notice tone="failed">
          No other host can be reached at the moment: the network of this server seems to be at fault. No link is
          counted as dead for it.
        </Notice>
      )}
    </>
  )
}
