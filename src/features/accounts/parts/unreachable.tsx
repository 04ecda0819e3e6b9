import { StatePage } from '../../../ui/state-page.tsx'
import { AskAgainButton } from './ask-again-button.tsx'
import { networkRefusal } from './use-submission.ts'

/** In place of a page whose call got no answer: nothing is lost, and the way to ask again. */
export function Unreachable({
  title,
  isAsking,
  onTryAgain,
}: {
  title: string
  isAsking: boolean
  onTryAgain: () => void
}) {
  return (
    <StatePage drawing="blot" title={title} steps={<AskAgainButton isAsking={isAsking} onAsk={onTryAgain} />}>
      <p>{networkRefusal.message}</p>
      <p>You are still signed in.</p>
    </StatePage>
  )
}
