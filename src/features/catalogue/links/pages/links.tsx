import { useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { type ApiQuery, useApiMutation } from '../../../../browser/queries.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { ListPage } from '../../../../ui/list-page/list-page.tsx'
import { useAddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { linkStates } from '../../item/link-slots.ts'
import { LinksForAdmin } from '../links-schema.ts'
import { LinkHosts } from '../parts/link-hosts.tsx'
import { LinksTable } from '../parts/links-table.tsx'
import { countsInWords, emptySentence, stateNames } from '../parts/links-words.ts'
import '../parts/links.css'

export const handle = { title: 'Links' } satisfies TitledPage

export const meta = guardedMeta

/** A requested check is done within seconds: the list is polled until it is, or for a minute. */
const pollEveryMs = 2_000
const pollForMs = 60_000

const stateOptions = optionsOf(stateNames, 'All states')

export default function LinksRoute() {
  const filters = useAddressFilters()
  const state = linkStates.find((one) => one === filters.get('state'))
  const host = filters.get('host')
  /** The checks that were requested here, by the id of the link, with the time of the check before. */
  const [requested, setRequested] = useState<ReadonlyMap<number, string | null>>(new Map())
  const [isFirstRequested, setIsFirstRequested] = useState(false)
  const { data, error, isFetching, refetch } = useAdminQuery(
    `/api/links?${filters.query('host', ...(state === undefined ? [] : ['state']))}`,
    LinksForAdmin,
    { keepsPrevious: true },
  )
  const { entries = [], totalPages = 0, total = 0, checks, counts, hosts = [] } = data ?? {}
  const isFiltered = state !== undefined || host !== ''
  /** One sentence and one button instead of rows that all say the same. */
  const isUntouched = checks?.haveBegun === false && total > 0 && !isFiltered

  const isWaiting =
    (isFirstRequested && checks?.unreachableSince === null && counts !== undefined && counts.unknown > 0) ||
    entries.some(({ links }) => links.some(({ id, checkedAt }) => requested.get(id) === checkedAt && requested.has(id)))
  useLookingOn({ isWaiting, isFetching, refetch })

  const first = useApiMutation({
    mutationFn: () => request('/api/links/check', MessageAnswer, { method: 'POST' }),
    onSuccess() {
      setIsFirstRequested(true)
      setTimeout(() => setIsFirstRequested(false), pollForMs)
      refetch()
    },
    onError: recheckAccess,
  })
  const isBeginning = first.isPending || (isWaiting && isUntouched)

  return (
    <ListPage
      title="Links"
      lead="Where downloads lead, and whether they work. Entries that visitors cannot download come first."
      filters={filters}
      choices={isUntouched ? [] : [{ name: 'state', label: 'State', value: state ?? '', options: stateOptions }]}
      tools={
        data === undefined || isUntouched || hosts.length === 0 ? null : (
          <p className="links-counts">{countsInWords(data)}</p>
        )
      }
      above={
        data === undefined ? null : (
          <>
            {hosts.length === 0 ? null : (
              <LinkHosts hosts={hosts} chosen={host} onChoose={(next) => filters.set('host', next)} />
            )}
            <StandingOfChecks checks={data.checks} />
            <Announced>{first.error === null ? null : <Notice tone="failed">{first.error.message}</Notice>}</Announced>
          </>
        )
      }
      answer={{ isHere: data !== undefined, error, isFetching, onRetry: refetch }}
      failure="The links could not be loaded"
      shown={isUntouched ? 0 : entries.length}
      empty={isUntouched ? 'No link has been checked yet.' : emptySentence(isFiltered)}
      step={
        isUntouched ? (
          checks.isRehearsal ? null : (
            <Button
              look="solid"
              label={isBeginning ? 'Checking...' : 'Check now'}
              isBusy={isBeginning}
              onClick={() => first.mutate()}
            />
          )
        ) : (
          <ButtonLink
            label={isFiltered ? 'Show all links' : 'Open the content'}
            to={isFiltered ? { search: '' } : '/admin/settings'}
          />
        )
      }
      {...(isUntouched ? {} : { pager: { filters, totalPages } })}
    >
      <LinksTable
        entries={entries}
        isBusy={isFetching && !isWaiting}
        canCheck={checks?.isRehearsal === false}
        requested={requested}
        onRequested={(links) => {
          setRequested((before) => new Map([...before, ...links.map(({ id, checkedAt }) => [id, checkedAt] as const)]))
          setTimeout(() => {
            setRequested((before) => new Map([...before].filter(([other]) => !links.some(({ id }) => id === other))))
          }, pollForMs)
          refetch()
        }}
      />
    </ListPage>
  )
}

/** Asks for the list again and again while a check is awaited. */
function useLookingOn({
  isWaiting,
  isFetching,
  refetch,
}: Pick<ApiQuery<unknown>, 'isFetching' | 'refetch'> & { isWaiting: boolean }): void {
  useEffect(() => {
    if (!isWaiting || isFetching) return
    const timer = setTimeout(refetch, pollEveryMs)
    return () => clearTimeout(timer)
  }, [isWaiting, isFetching, refetch])

  const wasWaiting = useRef(false)
  useEffect(() => {
    // Rows and counts are read side by side: those of the answer that shows the end of a check may be of before it.
    if (wasWaiting.current && !isWaiting) refetch()
    wasWaiting.current = isWaiting
  }, [isWaiting, refetch])
}

function StandingOfChecks({ checks: { areOn, isRehearsal, unreachableSince } }: Pick<LinksForAdmin, 'checks'>) {
  return (
    <>
      {areOn ? null : (
        <p className="work-aside">
          {isRehearsal ? 'This is a rehearsal: links are not checked.' : 'Automatic checks are off'}
          {isRehearsal ? null : (
            <>
              . The setting <code>LINK_CHECKS</code> turns them on.
            </>
          )}
        </p>
      )}
      {unreachableSince === null ? null : (
        <Notice tone="failed">
          No other host can be reached at the moment. The network of this server seems to be at fault, so no link counts
          as dead because of it.
        </Notice>
      )}
    </>
  )
}
