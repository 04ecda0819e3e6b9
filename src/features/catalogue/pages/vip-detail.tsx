import { Navigate, useLocation, useRouteLoaderData } from 'react-router'
import { guardedMeta, type TitledPage, usePageTitle } from '../../../browser/page-title.ts'
import { useApiQuery } from '../../../browser/queries.ts'
import type { FileHost } from '../catalogue-config.server.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { RetryButton } from '../../../ui/retry-button.tsx'
import { vipItemPath, vipPageOf } from '../item/vip-page.ts'
import { BackToList } from '../parts/back-to-list.tsx'
import { Tombstone } from '../parts/tombstone.tsx'
import { fetchVipItem } from '../parts/vip/fetch-vip-item.ts'
import { VipNear } from '../parts/vip/vip-near.tsx'
import { VipCard } from '../parts/vip/vip-card.tsx'
import { vipPageAt, vipShelves } from '../shelves/vip-shelves.ts'
import type { Route } from './+types/vip-detail.ts'

export const handle = { title: (pathname) => vipShelves[vipPageAt(pathname)].name } satisfies TitledPage

export const meta = guardedMeta

interface Facts {
  timeZone: string
  fileHosts: readonly FileHost[]
}

/** The five detail pages of the VIP area are one. */
export default function VipDetailRoute({ params }: Route.ComponentProps) {
  const slug = params.slug ?? ''
  const { pathname, state } = useLocation()
  const facts = useRouteLoaderData<Facts>('root')
  const page = vipPageAt(pathname)
  const {
    data: found,
    error,
    isFetching,
    refetch,
  } = useApiQuery({
    path: `/vip-asiancontent/${slug}`,
    occasion: page,
    fetch: (token, signal) => fetchVipItem({ page, slug }, token, signal),
    // Nothing of it stays where it is not shown.
    isForgotten: true,
  })
  const removed = found != null && 'tombstone' in found ? found.tombstone : undefined
  const movedTo = found != null && 'movedTo' in found ? found.movedTo : undefined
  const item = found != null && ('tombstone' in found || 'movedTo' in found) ? null : found
  const isElsewhere = item != null && vipPageOf(item) !== page
  usePageTitle(
    removed !== undefined
      ? 'Removed'
      : movedTo !== undefined
        ? undefined
        : item === null
          ? 'Content Not Found'
          : isElsewhere
            ? undefined
            : item?.name,
  )

  const back = <BackToList shelf={vipShelves[page]} />
  if (item === undefined && error === undefined) {
    return (
      <div className="column page-waiting">
        <Spinner />
      </div>
    )
  }
  if (removed !== undefined && facts !== undefined) {
    const day = dayOf(Date.parse(removed.removedAt), facts.timeZone)
    return (
      <div className="column">
        <Tombstone tombstone={{ ...removed, day }} steps={back} />
      </div>
    )
  }
  if (movedTo !== undefined) return <Navigate to={movedTo} replace state={state} />
  if (isElsewhere) return <Navigate to={vipItemPath(item)} replace state={state} />
  return (
    <div className="column">
      {item === undefined || facts === undefined ? (
        <StatePage
          drawing="blot"
          title="Error"
          steps={
            <>
              <RetryButton isFetching={isFetching} onRetry={refetch} />
              {back}
            </>
          }
        >
          <p>Failed to load VIP content details. Please try again later.</p>
        </StatePage>
      ) : item === null ? (
        <StatePage drawing="missing" title="Content Not Found" steps={back}>
          <p>{`The ${nameOf(page)} content you're looking for doesn't exist or has been removed.`}</p>
        </StatePage>
      ) : (
        <VipCard
          item={item}
          page={page}
          timeZone={facts.timeZone}
          fileHosts={facts.fileHosts}
          back={back}
          near={
            <VipNear
              item={item}
              path={vipItemPath(item)}
              list={`/${page}`}
              day={dayOf(Date.parse(item.postDate), facts.timeZone)}
            />
          }
        />
      )}
    </div>
  )
}

/** 'VIP Asian'; of the page that holds the type `vip` alone 'VIP'. */
function nameOf(page: keyof typeof vipShelves): string {
  return page === 'vip' ? 'VIP' : vipShelves[page].name
}
