import { useCallback, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import type { NearEntry } from '../../item/neighbours-schema.ts'
import { lastList, type SeenList } from '../list/last-list.ts'

export interface PlaceInList {
  previous: NearEntry | undefined
  next: NearEntry | undefined
}

/**
 * The place of an entry in the very list from which it was opened, with its filters and in its order. Undefined where it was
 * opened otherwise, and where the list is not in memory any more.
 */
export function usePlaceInList(path: string): PlaceInList | undefined {
  const { state } = useLocation() as { state: { fromList?: boolean } | null }
  const list = state?.fromList === true ? lastList() : undefined
  useSyncExternalStore(
    useCallback(
      (listener) => {
        const end = list && placeIn(list, path)?.end
        // Elsewhere in the list nothing of it has to be asked for.
        if (list === undefined || end === undefined) return () => undefined
        const leave = list.store.subscribe(list.query, listener)
        list.store[end](list.query)
        return leave
      },
      [list, path],
    ),
    () => list?.store.read(list.query),
    () => undefined,
  )
  return list && placeIn(list, path)
}

/** With the end of the rows that have come, where the entry stands there and the list goes on. */
function placeIn(
  { store, query }: SeenList,
  path: string,
): (PlaceInList & { end: 'earlier' | 'more' | undefined }) | undefined {
  const { pages = [], hasEarlier, hasMore } = store.read(query)
  const rows = pages.flatMap((page) => page.rows)
  const { pathOf } = query.shelf.row
  const at = rows.findIndex((row) => pathOf(row) === path)
  if (at === -1) return undefined
  const entryAt = (place: number): NearEntry | undefined => {
    const row = rows[place]
    return row && { name: row.name, path: pathOf(row) }
  }
  return {
    previous: entryAt(at - 1),
    next: entryAt(at + 1),
    end: at === 0 && hasEarlier ? 'earlier' : at === rows.length - 1 && hasMore ? 'more' : undefined,
  }
}
