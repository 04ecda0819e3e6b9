import { StatePage } from '../../../ui/state-page.tsx'
import { RetryButton } from '../../../ui/retry-button.tsx'
import { networkRefusal } from './use-submission.ts'

/** In place of a page whose call got no answer: nothing is lost, and the way to ask again. */
export function Unreachable({
  title,
  isFetching,
  onTryAgain,
}: {
  title: string
  isFetching: boolean
  onTryAgain: () => void
}) {
  return (
    <StatePage drawing="blot" title={title} steps={<RetryButton isFetching={isFetching} onRetry={onTryAgain} />}>
      <p>{networkRefusal.message}</p>
      <p>You are still signed in.</p>
    </StatePage>
  )
}
