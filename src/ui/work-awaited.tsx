import type { ReactNode } from 'react'
import { Notice } from './notice.tsx'
import { RetryButton } from './retry-button.tsx'
import { StatePage } from './state-page.tsx'
import { WorkWaiting } from './work-page.tsx'

/** The place of an answer that is not there: still awaited, or failed, with the way to ask again. */
export function WorkAwaited({
  failure,
  step,
  query: { error, isFetching, refetch },
}: {
  /** Said where no answer comes; without it a notice says why in the midst of a page. */
  failure?: string
  /** In place of the way to ask again. */
  step?: ReactNode
  query: { error: { message: string } | undefined; isFetching: boolean; refetch: () => void }
}) {
  if (error === undefined) return <WorkWaiting />
  const retry = <RetryButton isFetching={isFetching} onRetry={refetch} />
  if (failure === undefined) {
    return (
      <Notice tone="failed">
        <p>{error.message}</p>
        <p>{retry}</p>
      </Notice>
    )
  }
  return (
    <StatePage drawing="blot" title={failure} level={2} steps={step ?? retry}>
      {error.message === failure ? null : <p>{error.message}</p>}
    </StatePage>
  )
}
