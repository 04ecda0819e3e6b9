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
  return (
    <button
      type="button"
      className="button button-solid"
      aria-disabled={isFetching}
      onClick={() => {
        if (!isFetching) onRetry()
      }}
    >
      {isFetching ? labelWhileFetching : label}
    </button>
  )
}
