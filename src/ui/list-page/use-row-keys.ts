import { type RefObject, useEffect } from 'react'

/**
 * Keys on a list of work: j and k lead from row to row, x selects the row where the focus is; Enter does its next step by
 * itself. They rest while somebody types, in dialogs and menus.
 * @param list holds the table; the first link or button in the `data-row-actions` of a row takes the focus
 */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (key !== 'j' && key !== 'k' && key !== 'x') return
      if (!(target instanceof HTMLElement) || isBusyWithKeys(target)) return
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('tbody > tr') ?? [])]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      if (key === 'x') {
        rows[at]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
        return
      }
      const next = key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)
      rows[next]?.querySelector<HTMLElement>('[data-row-actions] > :is(a, button)')?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list])
}

/** Whether keys belong to this element. A box that is checked by the blank takes no letters. */
function isBusyWithKeys(target: HTMLElement): boolean {
  const field = target.closest('input, textarea, select, [contenteditable], [role=menu], dialog')
  return field !== null && !(field instanceof HTMLInputElement && field.type === 'checkbox')
}
