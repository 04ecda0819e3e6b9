/** Asks once more for what did not come. It keeps the focus while it asks: it is not disabled, only without effect. */
export function AskAgainButton({
  label = 'Try again',
  labelWhileAsking = 'Loading...',
  isAsking,
  onAsk,
}: {
  label?: string
  labelWhileAsking?: string
  isAsking: boolean
  onAsk: () => void
}) {
  return (
    <button
      type="button"
      className="button button-solid"
      aria-disabled={isAsking}
      onClick={() => {
        if (!isAsking) onAsk()
      }}
    >
      {isAsking ? labelWhileAsking : label}
    </button>
  )
}
