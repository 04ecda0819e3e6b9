import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { NearEntry } from '../../item/neighbours-schema.ts'
import { lastList } from '../list/last-list.ts'

/** The rows next to an entry; undefined at an end of the list. */
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
  const isFromList = state?.fromList === true
  const [known, setKnown] = useState<PlaceInList & { path: string }>()

  useEffect(() => {
    const list = isFromList ? lastList() : undefined
    if (list === undefined) return undefined
    const { store, query } = list
    const look = (): 'earlier' | 'more' | undefined => {
      const { pages = [], hasEarlier, hasMore } = store.read(query)
      const rows = pages.flatMap((page) => page.rows)
      const { pathOf } = query.shelf.row
      const at = rows.findIndex((row) => pathOf(row) === path)
      if (at === -1) return undefined
      const entryAt = (place: number): NearEntry | undefined => {
        const row = rows[place]
        return row && { name: row.name, path: pathOf(row) }
      }
      setKnown({ path, previous: entryAt(at - 1), next: entryAt(at + 1) })
      if (at === 0 && hasEarlier) return 'earlier'
      return at === rows.length - 1 && hasMore ? 'more' : undefined
    }
    const wanted = look()
    if (wanted === undefined) return undefined
    // An end of the rows that have come: the list goes on there.
    const leave = store.subscribe(query, look)
    store[wanted](query)
    return leave
  }, [isFromList, path])

  return isFromList && known?.path === path ? known : undefined
}
