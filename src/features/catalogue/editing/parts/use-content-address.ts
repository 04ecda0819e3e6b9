import { useCallback, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type ContentFilters, readContentFilters, writeContentFilters } from './content-filters.ts'

/** The form of a new item, in place of the id of one. */
export const newItem = 'new'

export function useContentAddress() {
  const { search } = useLocation()
  const filters = readContentFilters(search)
  const edited = new URLSearchParams(search).get('edit')
  const navigate = useNavigate()
  /** The scroll position of the list when the form above it was opened. */
  const leftAt = useRef<number | undefined>(undefined)

  const show = useCallback(
    (next: ContentFilters, edit: string | null, isNewEntry: boolean): void => {
      const query = writeContentFilters(next)
      const shown = [query, ...(edit === null ? [] : [`edit=${edit}`])].filter((part) => part !== '').join('&')
      void navigate({ search: shown }, { preventScrollReset: true, replace: !isNewEntry })
    },
    [navigate],
  )
  return {
    filters,
    edited,
    show,
    openForm(edit: string): void {
      show(filters, edit, true)
      // The form of a new entry stands above the list; any other opens beside it.
      if (edit !== newItem) return
      leftAt.current = window.scrollY
      window.scrollTo({ top: 0 })
    },
    /** Goes back to the list, where it was left. */
    closeForm(): void {
      show(filters, null, false)
      const top = leftAt.current
      leftAt.current = undefined
      requestAnimationFrame(() => {
        if (top !== undefined) window.scrollTo({ top })
        // The rows that stand there now are rendered with the next frame.
        requestAnimationFrame(() => focusOn(edited ?? newItem))
      })
    },
  }
}

export function focusOn(id: string): void {
  if (document.activeElement !== document.body) return
  const opener = id === newItem ? '.work-actions .button' : `[data-edit="${CSS.escape(id)}"]`
  const target = document.querySelector<HTMLElement>(opener) ?? document.querySelector<HTMLElement>('.content-list')
  target?.focus({ preventScroll: true })
}
