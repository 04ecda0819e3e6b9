import { useEffect, useSyncExternalStore } from 'react'
import { shelfCounts } from './shelf-counts.ts'

/** How many entries a shelf has, in a place of its own that is there before the number. */
export function ShelfCount({
  shelf,
  token,
}: {
  /** By the name in its address. */
  shelf: string
  /** A VIP's. */
  token?: string | undefined
}) {
  useEffect(() => shelfCounts.refresh(token))
  const count = useSyncExternalStore(
    shelfCounts.subscribe,
    () => countIn(shelfCounts.read(token), shelf),
    () => undefined,
  )
  return <span className="shelf-count">{count?.toLocaleString('en-US')}</span>
}

/** An empty shelf is not in the answer. */
function countIn(counts: ReturnType<typeof shelfCounts.read>, shelf: string): number | undefined {
  return counts && (counts.get(shelf) ?? 0)
}
