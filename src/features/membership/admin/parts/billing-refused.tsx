import { StatePage } from '../../../../ui/state-page.tsx'
import { RetryButton } from '../../../../ui/retry-button.tsx'
import type { ApiQuery } from '../../../../browser/queries.ts'

/** In place of what could not be had: why, and the way to ask again. */
export function BillingRefused({
  title,
  query: { error, isFetching, refetch },
}: {
  title: string
  query: Pick<ApiQuery<unknown>, 'error' | 'isFetching' | 'refetch'>
}) {
  if (error?.status === 404) {
    return (
      <StatePage drawing="missing" title="There is no such member" level={2}>
        <p>The account was deleted, or the link is wrong.</p>
      </StatePage>
    )
  }
  return (
    <StatePage drawing="blot" title={title} level={2} steps={<RetryButton isFetching={isFetching} onRetry={refetch} />}>
      <p>{error?.message}</p>
    </StatePage>
  )
}
