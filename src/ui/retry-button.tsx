import { Button } from './button.tsx'
/** Asks once more for what did not come. It keeps the focus while it asks: it is not disabled, only without effect. */
export function RetryButton({
  label = 'Try again',
  labelWhileFetching = 'Loading...',
  isFetching,
  onRetry,
}: {
  label?: string
  labelWhileFetching?: string
  isFetching: boolean
  onRetry: () => void
}) {
  return <Button look="solid" label={isFetching ? labelWhileFetching : label} isBusy={isFetching} onClick={onRetry} />
}
