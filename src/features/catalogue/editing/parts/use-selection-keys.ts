import { type KeyboardEvent, type RefObject, useCallback } from 'react'
import type { RangeSelection } from '../../../../ui/list-page/range-selection.ts'

/**
 * The keys of a list of boxes: arrows go from box to box, with Shift they extend the selection, Escape clears it. Space
 * turns a box by itself. The boxes carry the ids of their rows as `data-id`.
 * @param count how many are chosen
 */
export function useSelectionKeys(
  now: RefObject<Pick<RangeSelection, 'stepTo' | 'clear'> & { ids: () => readonly string[] }>,
  count: number,
): (event: KeyboardEvent<HTMLElement>) => void {
  return useCallback(
    (event) => {
      const { key, target, currentTarget, shiftKey } = event
      // Dialogs of a row are its children in React, and elsewhere in the document.
      if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return
      if (key === 'Escape' && count > 0) {
        event.preventDefault()
        now.current.clear()
      }
      if ((key !== 'ArrowDown' && key !== 'ArrowUp') || !target.matches('[data-id]')) return
      event.preventDefault()
      const boxes = [...currentTarget.querySelectorAll<HTMLInputElement>('[data-id]:not(:disabled)')]
      const next = boxes[boxes.indexOf(target as HTMLInputElement) + (key === 'ArrowDown' ? 1 : -1)]
      if (next === undefined) return
      next.focus()
      const [from, to] = [target.dataset['id'], next.dataset['id']]
      if (shiftKey && from !== undefined && to !== undefined) now.current.stepTo(now.current.ids(), { from, to })
    },
    [now, count],
  )
}
