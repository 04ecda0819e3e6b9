import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { NearEntry } from '../../item/neighbours-schema.ts'
import { lastList, type SeenList } from '../list/last-list.ts'

/** The rows next to an entry; undefined at an end of the list. */
export interface PlaceInList {
  previous: NearEntry | undefined
  next: NearEntry | undefined
}

/**
 * The place of an entry in the very list from which it was opened, with its filters and in its order. Undefined where it was
 * opened otherwise, and where the list is not in memory any more.
 * @param ownPrevious stands before it in its shelf
 */
export function usePlaceInList(path: string, ownPrevious: NearEntry | undefined): PlaceInList | undefined {
  const { state } = useLocation() as { state: { fromList?: boolean } | null }
  const isFromList = state?.fromList === true
  const [known, setKnown] = useState<PlaceInList & { path: string }>()

  useEffect(() => {
    const list = isFromList ? lastList() : undefined
    if (list === undefined) return undefined
    const { store, query } = list
    const look = (): boolean => {
      const { pages = [], hasMore } = store.read(query)
      const rows = pages.flatMap((page) => page.rows)
      const { pathOf } = query.shelf.row
      const at = rows.findIndex((row) => pathOf(row) === path)
      if (at === -1) return false
      const entryAt = (place: number): NearEntry | undefined => {
        const row = rows[place]
        return row && { name: row.name, path: pathOf(row) }
      }
      // A list that was opened at a place in it has rows before its first.
      const isBegun = (pages[0]?.page ?? 1) > 1 && isWhole(query)
      setKnown({ path, previous: at === 0 && isBegun ? ownPrevious : entryAt(at - 1), next: entryAt(at + 1) })
      return at === rows.length - 1 && hasMore
    }
    if (!look()) return undefined
    // The last of the rows that have come: the list goes on behind it.
    const leave = store.subscribe(query, look)
    store.more(query)
    return leave
  }, [isFromList, path, ownPrevious])

  return isFromList && known?.path === path ? known : undefined
}

/** Whether a list is all of its shelf, the newest first. */
function isWhole({ filters }: SeenList['query']): boolean {
  return Object.entries(filters).every(([name, value]) => value === '' || name === 'page' || name === 'at')
}
