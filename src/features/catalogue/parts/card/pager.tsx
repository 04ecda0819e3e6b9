import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { NearEntry, Neighbours } from '../../item/neighbours-schema.ts'
import { fromList } from '../back-to-list.tsx'
import { languageOf } from '../list/language-of.ts'
import { usePlaceInList } from './place-in-list.ts'

/**
 * The rows next to an entry in the list from which one came, else in its own. The arrow keys lead there.
 */
export function Pager({ previous, next, path }: Pick<Neighbours, 'previous' | 'next'> & { path: string }) {
  const place = usePlaceInList(path)
  const shown = place ?? { previous, next }
  const nav = useRef<HTMLElement>(null)
  useArrowKeys(nav)
  if (shown.previous === undefined && shown.next === undefined) return null
  return (
    <nav ref={nav} className="card-pager" aria-label="Previous and next">
      <Way entry={shown.previous} rel="prev" isInList={place !== undefined} />
      <Way entry={shown.next} rel="next" isInList={place !== undefined} />
    </nav>
  )
}

/** From entry to entry of a list the way back to the list stays one step. */
function Way({ entry, rel, isInList }: { entry: NearEntry | undefined; rel: 'prev' | 'next'; isInList: boolean }) {
  if (entry === undefined) return null
  return (
    <Link to={entry.path} rel={rel} {...(isInList ? { state: fromList, replace: true } : {})}>
      <small>{rel === 'prev' ? 'Previous' : 'Next'}</small>
      <bdi lang={languageOf(entry.name)}>{entry.name}</bdi>
    </Link>
  )
}

const ownKeys = 'input, textarea, select, [contenteditable], dialog, [role="menu"], [role="listbox"], audio, video'

/** ← and → go where the links go; not while somebody types, nor where the keys have a meaning of their own. */
function useArrowKeys(nav: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const rel = event.key === 'ArrowLeft' ? 'prev' : event.key === 'ArrowRight' ? 'next' : undefined
      if (rel === undefined || (event.target instanceof Element && event.target.closest(ownKeys) !== null)) return
      const link = nav.current?.querySelector<HTMLElement>(`a[rel="${rel}"]`)
      if (link == null) return
      event.preventDefault()
      link.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [nav])
}
