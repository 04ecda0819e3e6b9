import { type RefObject, useEffect } from 'react'

/**
 * Moves the focus through the rows: arrows while a row has it, j and k from anywhere but a field. Enter is the link's
 * own, s saves the row. The stroke leads to the search field.
 * @param onSave gets the address of a row
 */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  hasLetters: boolean,
  onSave: (path: string) => void,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const root = list.current
      const current = document.activeElement
      if (root === null) return
      if (event.key === '/' && hasLetters) {
        event.preventDefault()
        const field = root.closest('.listing')?.querySelector<HTMLInputElement>('input[type=search]')
        field?.focus()
        field?.select()
      }
      if (event.shiftKey) return
      const row = root.contains(current) ? current?.closest('.entries li')?.querySelector('a') : undefined
      if (event.key === 's' && hasLetters && row != null && !event.repeat) {
        event.preventDefault()
        onSave(row.pathname)
      }
      const isInList = current !== null && root.contains(current) && current.matches('.entries a')
      const step = stepOf(event.key, isInList, hasLetters)
      if (step === 0) return
      const rows = [...root.querySelectorAll<HTMLElement>('.entries a')]
      const at = isInList ? rows.indexOf(current as HTMLElement) : firstInSight(root, rows) - step
      const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))]
      if (next === undefined) return
      event.preventDefault()
      next.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list, hasLetters, onSave])
}

function stepOf(key: string, isInList: boolean, hasLetters: boolean): -1 | 0 | 1 {
  if (key === 'ArrowDown') return isInList ? 1 : 0
  if (key === 'ArrowUp') return isInList ? -1 : 0
  if (!hasLetters) return 0
  if (key === 'j') return 1
  return key === 'k' ? -1 : 0
}

/** Looks at blocks first: asking a row where it is has the browser lay out a block that it leaves out. */
function firstInSight(root: HTMLElement, rows: HTMLElement[]): number {
  const isBelow = (element: Element): boolean => element.getBoundingClientRect().bottom > 0
  const block = [...root.querySelectorAll('.entries ul')].find(isBelow)
  const found = [...(block?.querySelectorAll<HTMLElement>('a') ?? [])].find(
    (row) => row.getBoundingClientRect().top > 0,
  )
  const next = found ?? block?.querySelector<HTMLElement>('li:last-child > a')
  return Math.max(0, next == null ? 0 : rows.indexOf(next))
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, option, dialog *'))
  )
}
