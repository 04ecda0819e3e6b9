/** The mark of the house: a book's ribbon, in the accent in force. */
export function RibbonMark({ className }: { className?: string }) {
  return (
    <svg viewBox="3 0 14 34" width="18" height="44" aria-hidden="true" className={className}>
      <path className="ribbon" d="M3 0h14v33.6L10 27 3 33.6Z" />
      <path
        className="ribbon-lines"
        d="M6.2 9.500h7.600v1.500H6.200zM6.2 13.400h7.600v1.500H6.200zM6.2 17.300h4.600v1.500H6.200z"
      />
    </svg>
  )
}
