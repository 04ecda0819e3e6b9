import { useEffect, useMemo, useState } from 'react'
import type { FreePage } from '../../item/content-type.ts'
import type { ItemRow } from '../../item/listing.ts'

/**
 * The distinct categories seen in loaded results of a section, in order, accumulated while the tab lives; the selected
 * one is always among them.
 */
export function useCategories(
  section: FreePage,
  pages: readonly { rows: readonly ItemRow[] }[],
  selected: string,
): string[] {
  const [remembered, setRemembered] = useState<readonly string[]>([])
  const loaded = useMemo(() => [...new Set(pages.flatMap(({ rows }) => rows.map(({ category }) => category)))], [pages])

  useEffect(() => {
    const key = `categories-${section}`
    const all = [...new Set([...readStored(key), ...loaded])]
    try {
      sessionStorage.setItem(key, JSON.stringify(all))
    } catch {
      // A browser that keeps nothing still shows what is loaded.
    }
    setRemembered(all)
  }, [section, loaded])

  return useMemo(() => {
    const all = new Set([...remembered, ...loaded, selected])
    all.delete('')
    return [...all].sort((a, b) => a.localeCompare(b, 'en'))
  }, [remembered, loaded, selected])
}

function readStored(key: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
