import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useNavigate, useRouteLoaderData } from 'react-router'
import { dayOf } from '../../../../platform/time/site-time.ts'
import { useLater } from '../../../../ui/use-later.ts'
import { orderOf } from '../../search/listing-address.ts'
import type { ListingFilters } from '../../item/listing.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import type { Entries } from '../list/by-day.ts'
import { addButtons, drawNew, drawSaved, slugOfRow } from './draw-rows.ts'
import { memoryStore, noteSign, pressSave } from './memory-store.ts'
import { takeWish } from './wish.ts'
import './reading.css'

/** How long the outcome is said, in milliseconds. */
const saidMs = 5_000

const nothing = (): undefined => undefined

/**
 * The reader of a list: what is new to them, and what they have saved. It draws into the rows, and says what has become of a
 * press.
 * @param toSave the slug of a row for which a key was pressed, and how often that was
 */
export function Reading({
  place,
  entries,
  shelf,
  filters,
  isMember,
  toSave,
}: {
  place: RefObject<HTMLElement | null>
  entries: Entries
  shelf: Shelf
  filters: ListingFilters
  isMember: boolean
  toSave: { slug: string; count: number } | undefined
}): ReactNode {
  const memory = useSyncExternalStore(memoryStore.subscribe, memoryStore.read, nothing)
  const { said, toggle } = useSaving(isMember)
  useSigns()
  const latest = useRef(toggle)
  useLayoutEffect(() => {
    latest.current = toggle
  })
  useEffect(() => {
    const wished = isMember ? takeWish() : undefined
    if (wished !== undefined) void latest.current(wished, 'save')
  }, [isMember])
  useEffect(() => {
    if (toSave !== undefined) void latest.current(toSave.slug)
  }, [toSave])

  const timeZone = useRouteLoaderData<{ timeZone: string }>('root')?.timeZone ?? 'UTC'
  const newSince = memory?.newSince
  const fresh = memory?.fresh
  const order = orderOf(filters)
  useEffect(() => {
    if (place.current === null || newSince === undefined || order === 'bestMatch') return
    const rows = entries.days.flatMap(({ blocks }) => blocks.flatMap((block) => block.rows))
    const known = { day: dayOf(newSince, timeZone), fresh }
    drawNew(place.current, rows, known, { isOldestFirst: order === 'oldest', newLabel: shelf.row.newLabel })
  }, [place, entries, newSince, fresh, order, timeZone, shelf])

  const saved = memory?.saved
  useRowButtons(place, entries, isMember ? saved : undefined)
  useRowPresses(place, toggle)
  return (
    <span className="saved-said" role="status">
      {said}
    </span>
  )
}

/** The reader is here: when the list is opened, comes back into sight, and while it is read. */
function useSigns(): void {
  useEffect(() => {
    const sign = (): void => {
      if (document.visibilityState === 'visible') void noteSign()
    }
    sign()
    document.addEventListener('visibilitychange', sign)
    document.addEventListener('keydown', sign)
    window.addEventListener('scroll', sign, { passive: true })
    return () => {
      document.removeEventListener('visibilitychange', sign)
      document.removeEventListener('keydown', sign)
      window.removeEventListener('scroll', sign)
    }
  }, [])
}

/** Saves entries and takes them out, and says so for a while. */
function useSaving(isMember: boolean) {
  const [said, setSaid] = useState('')
  const later = useLater()
  const navigate = useNavigate()
  const toggle = useCallback(
    async (slug: string, only?: 'save'): Promise<void> => {
      const done = await pressSave(slug, { isMember, navigate, only })
      if (done === undefined) return
      setSaid(done.said)
      later(saidMs, () => setSaid(''))
    },
    [isMember, later, navigate],
  )
  return { said, toggle }
}

/** A button in each row near the window, which the reader's own state is drawn on. */
function useRowButtons(
  place: RefObject<HTMLElement | null>,
  entries: Entries,
  saved: ReadonlySet<string> | undefined,
): void {
  const isKnown = saved !== undefined
  useEffect(() => {
    const root = place.current
    if (root === null || !isKnown) return undefined
    const near = new IntersectionObserver(
      (seen) => {
        for (const { isIntersecting, target } of seen) {
          if (!isIntersecting) continue
          near.unobserve(target)
          addButtons(target.children, memoryStore.read()?.saved ?? new Set())
        }
      },
      { rootMargin: '100%' },
    )
    for (const block of root.querySelectorAll('.entries ul')) near.observe(block)
    return () => near.disconnect()
    // Further pages bring further blocks.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [place, entries, isKnown])

  useEffect(() => {
    if (saved === undefined) return
    for (const row of place.current?.querySelectorAll('.entries li:has(> .row-save)') ?? []) drawSaved(row, saved)
  }, [place, saved])
}

/** One handler for the buttons of all rows. One that is pointed at or has the focus gets its button where it has none. */
function useRowPresses(place: RefObject<HTMLElement | null>, toggle: (slug: string) => Promise<void>): void {
  useEffect(() => {
    const root = place.current
    if (root === null) return undefined
    let reachable: HTMLElement | undefined
    const onClick = ({ target }: MouseEvent): void => {
      const slug = slugOfRow((target as Element).closest('.row-save')?.closest('li'))
      if (slug !== undefined) void toggle(slug)
    }
    const give = (target: Element): HTMLElement | undefined => {
      const row = target.closest('.entries li:not(.since)')
      if (row === null) return undefined
      addButtons([row], memoryStore.read()?.saved ?? new Set())
      return row.querySelector<HTMLElement>(':scope > .row-save') ?? undefined
    }
    const reach = (target: Element): void => {
      const button = give(target)
      if (button === undefined || button === reachable) return
      if (reachable !== undefined) reachable.tabIndex = -1
      button.tabIndex = 0
      reachable = button
    }
    const onPoint = ({ target }: PointerEvent): void => void give(target as Element)
    const onFocus = ({ target }: FocusEvent): void => reach(target as Element)
    root.addEventListener('click', onClick)
    root.addEventListener('pointerover', onPoint)
    root.addEventListener('focusin', onFocus)
    // A row may have had the focus before this was loaded.
    if (root.contains(document.activeElement)) reach(document.activeElement as Element)
    return () => {
      root.removeEventListener('click', onClick)
      root.removeEventListener('pointerover', onPoint)
      root.removeEventListener('focusin', onFocus)
    }
  }, [place, toggle])
}
