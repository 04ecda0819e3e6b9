import { useEffect, useSyncExternalStore } from 'react'
import { siteClientKey } from '../../../../browser/client-key.ts'

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

/*
 * The counts of the shelves, for this tab. No page carries them: each entry that comes or goes would make every kept page
 * another one.
 */

type Counts = ReadonlyMap<string, number>

/** Within this time every page shows the same counts. */
const freshMs = 60_000

let known: { token: string | undefined; counts: Counts | undefined; askedAt: number } | undefined
const listeners = new Set<() => void>()

const shelfCounts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },

  /** By the names in the addresses of the shelves; undefined until they have come for this token. */
  read(token: string | undefined): Counts | undefined {
    return known?.token === token ? known?.counts : undefined
  },

  /**
   * Asks for them, unless they are there and of this minute.
   * @param token a VIP's: their shelves are counted with the others
   */
  refresh(token: string | undefined): void {
    const before = known?.token === token ? known : undefined
    if (before !== undefined && performance.now() - before.askedAt < freshMs) return
    const asked = { token, counts: before?.counts, askedAt: performance.now() }
    known = asked
    const request = async (): Promise<void> => {
      const counts = await fetchCounts(token)
      // A page without counts is whole.
      if (counts === undefined || known !== asked) return
      known = { ...asked, counts }
      for (const listener of listeners) listener()
    }
    void request()
  },
}

async function fetchCounts(token: string | undefined): Promise<Counts | undefined> {
  const headers = {
    'api-key': siteClientKey() ?? '',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch('/universal-search/facets', { headers }).catch(() => undefined)
  if (answer?.ok !== true) return undefined
  const facets = (await answer.json().catch(() => undefined)) as
    | { shelves?: readonly { name: string; count: number }[] }
    | undefined
  return new Map((facets?.shelves ?? []).map(({ name, count }) => [name, count]))
}
