import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ListingFilters } from '../../item/listing.ts'
import { readFilters, writeFilters } from '../../search/listing-address.ts'
import type { Shelf } from '../../shelves/shelf.ts'

export interface ListingFilterState {
  shown: ListingFilters
  /** The list's query: that of the address, which follows the toolbar after a pause. */
  requested: ListingFilters
  /** Any change leads back to page 1, and to no place in time. */
  change: (part: Partial<Omit<ListingFilters, 'page'>>) => void
  /** While an input method composes, its half-written word is not searched for. */
  setComposing: (composing: boolean) => void
}

/**
 * The filters of a listing, which live in its address: a change is shown at once and written to the address after
 * the pause of the shelf; an address that changes by itself (Back, a link) is shown. Typing makes one entry of the history, every other
 * change its own.
 */
export function useListingFilters(shelf: Shelf): ListingFilterState {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const requested = useMemo(() => readFilters(shelf, search), [shelf, search])
  const [shown, setShown] = useState(requested)
  const latest = useRef(requested)
  const written = useRef(search)
  const timer = useRef<number | undefined>(undefined)
  const composing = useRef(false)
  /** Whether the newest entry of the history is one that typing has made, and whether a typed change waits. */
  const typing = useRef({ isNewest: false, waits: false })

  useEffect(() => {
    if (search === written.current) return
    window.clearTimeout(timer.current)
    written.current = search
    typing.current = { isNewest: false, waits: false }
    latest.current = requested
    setShown(requested)
  }, [search, requested])

  useEffect(() => () => window.clearTimeout(timer.current), [])

  const write = useCallback(() => {
    const next = writeFilters(latest.current)
    if (next === written.current) return
    const replace = typing.current.waits && typing.current.isNewest
    typing.current = { isNewest: typing.current.waits, waits: false }
    written.current = next
    void navigate({ pathname, search: next }, { replace, preventScrollReset: true })
  }, [navigate, pathname])

  const schedule = useCallback(() => {
    window.clearTimeout(timer.current)
    if (!composing.current) timer.current = window.setTimeout(write, shelf.debounceMs)
  }, [write, shelf])

  const change = useCallback(
    (part: Partial<Omit<ListingFilters, 'page'>>) => {
      typing.current.waits = Object.keys(part).every((name) => name === 'search')
      latest.current = { ...latest.current, ...part, at: '', page: 1 }
      setShown(latest.current)
      schedule()
    },
    [schedule],
  )

  const setComposing = useCallback(
    (isComposing: boolean) => {
      composing.current = isComposing
      schedule()
    },
    [schedule],
  )

  return { shown, requested, change, setComposing }
}
