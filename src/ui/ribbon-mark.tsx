/** The mark of the house: a book's ribbon, in the accent in force. */
export function RibbonMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 28" width="20" height="28" aria-hidden="true" className={className}>
      <path className="fill-accent-solid" d="M3 0h14v27.2L10 20.6 3 27.2Z" />
      <path className="fill-accent-on" d="M6.2 6.3h7.6v1.5H6.2zM6.2 10.2h7.6v1.5H6.2zM6.2 14.1h4.6v1.5H6.2z" />
    </svg>
  )
}
