import { useEffect, useMemo, useState } from 'react'
import type { ItemRow } from '../../item/listing.ts'
import type { Shelf } from '../../shelves/shelf.ts'

/** Remembers the categories that were seen on a shelf. */
export interface CategoryMemory {
  read(shelf: Shelf): readonly string[]
  write(shelf: Shelf, categories: readonly string[]): void
}

/**
 * The distinct categories seen in loaded results of a shelf, in order, accumulated as long as the memory lasts; the
 * selected one is always among them.
 */
export function useCategories(
  memory: CategoryMemory,
  shelf: Shelf,
  pages: readonly { rows: readonly ItemRow[] }[],
  selected: string,
): string[] {
  const [remembered, setRemembered] = useState<readonly string[]>([])
  const loaded = useMemo(() => [...new Set(pages.flatMap(({ rows }) => rows.map(({ category }) => category)))], [pages])

  useEffect(() => {
    const all = [...new Set([...memory.read(shelf), ...loaded])]
    memory.write(shelf, all)
    setRemembered(all)
  }, [memory, shelf, loaded])

  return useMemo(() => {
    const all = new Set([...remembered, ...loaded, selected])
    all.delete('')
    return [...all].sort((a, b) => a.localeCompare(b, 'en'))
  }, [remembered, loaded, selected])
}

/** As long as the tab lives. */
export const categoriesOfTab: CategoryMemory = {
  read({ path }) {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(path)) ?? '[]')
      return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
    } catch {
      return []
    }
  },
  write({ path }, categories) {
    try {
      sessionStorage.setItem(keyOf(path), JSON.stringify(categories))
    } catch {
      // A browser that keeps nothing still shows what is loaded.
    }
  },
}

function keyOf(path: string): string {
  return `categories-${path.slice(1)}`
}
