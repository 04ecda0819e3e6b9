import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Entries } from './by-day.ts'

/** A list so short is laid out and painted whole. */
const fewRows = 100

/** When a list that has appeared stands still, with its scroll position restored. */
const settledAfterMs = 300

/** How high the parts of a list were when it was left, in a window of this width. */
const heightsAtLeaving = new WeakMap<Entries, { width: number; heights: readonly (number | undefined)[] }>()

/**
 * Lets the browser skip distant parts while thousands are loaded. A skipped part needs a height: the first rows are laid out
 * once, later ones get the height of those before them, and a list that is come back to has the heights with which it was
 * left, so that Back finds its place to the pixel.
 */
export function useSkipping(list: RefObject<HTMLElement | null>, entries: Entries): void {
  const [known] = useState(() => new WeakSet<Element>())
  const rowHeight = useRef<number>(undefined)
  const latest = useRef(entries)
  const [heights] = useState(() => new WeakMap<Element, number>())
  // Asked for only while nothing waits to be laid out: the answer would have the browser do that at once.
  const [widthAtFirst] = useState(() => (typeof window === 'undefined' ? 0 : window.innerWidth))
  const width = useRef(widthAtFirst)
  const observer = useRef<ResizeObserver>(undefined)

  useLayoutEffect(() => {
    const root = list.current
    const watching = new ResizeObserver((changes) => {
      for (const { target, contentRect } of changes) heights.set(target, contentRect.height)
      width.current = window.innerWidth
    })
    observer.current = watching
    return () => {
      watching.disconnect()
      // Not measured now: the style sheet of the page may have gone before its list.
      const parts = partsOf(root).map((part) => heights.get(part))
      heightsAtLeaving.set(latest.current, { width: width.current, heights: parts })
    }
  }, [list, heights])

  useLayoutEffect(() => {
    const parts = partsOf(list.current)
    const isFirst = !parts.some((part) => known.has(part))
    const left = isFirst ? heightsAtLeaving.get(entries) : undefined
    for (const [index, part] of parts.entries()) {
      if (known.has(part)) continue
      known.add(part)
      const height = left?.width === width.current ? left.heights[index] : estimate(part, rowHeight.current)
      if (height !== undefined) skip(part, height)
    }
    latest.current = entries
  }, [list, entries, known])

  useEffect(() => {
    if (entries.count < fewRows) return undefined
    const timer = window.setTimeout(() => {
      const near = window.innerHeight * 2
      const seen = partsOf(list.current).map((part) => ({ part, box: part.getBoundingClientRect() }))
      for (const { part, box } of seen) {
        if (box.bottom < -near || box.top > window.innerHeight + near) skip(part, box.height)
        // Not before: whatever is observed is laid out at once.
        if (!heights.has(part)) observer.current?.observe(part)
      }
      const block = list.current?.querySelector('ul')
      if (block) rowHeight.current = block.offsetHeight / block.children.length
    }, settledAfterMs)
    return () => window.clearTimeout(timer)
  }, [list, entries, heights])
}

/** A part of the list that is skipped or shown as a whole. */
function partsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('section:not(:has(ul + ul)), ul + ul, ul:has(+ ul)') ?? [])]
}

function estimate(part: HTMLElement, rowHeight: number | undefined): number | undefined {
  return rowHeight && rowHeight * part.querySelectorAll('li').length
}

function skip(part: HTMLElement, height: number): void {
  if (part.classList.contains('is-far')) return
  part.classList.add('is-far')
  part.style.containIntrinsicBlockSize = `auto ${height}px`
}
