/** Says that something is on its way; the words are for screen readers. */
export function Spinner({ label = 'Loading...' }: { label?: string }) {
  return (
    <span role="status" className="spinner-status">
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </span>
  )
}
