import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'

/** The placeholder of a list: it is loading, or could not be loaded. */
export function ListWaiting({
  isLoaded,
  hasFailed,
  sentence,
  onRetry,
}: {
  isLoaded: boolean
  hasFailed: boolean
  /** Says that the list could not be loaded. */
  sentence: string
  /** The button disappears with this: the focus needs another place. */
  onRetry: () => void
}) {
  if (hasFailed) {
    return (
      <div className="notice" role="alert">
        <p>{sentence}</p>
        <Button label="Try again" onClick={onRetry} />
      </div>
    )
  }
  return isLoaded ? null : (
    <div className="sessions-waiting">
      <Spinner />
    </div>
  )
}
