import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { DiscardQuestion } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { useMedia } from '../../../../ui/use-media.ts'
import { focusOn } from './use-content-address.ts'
import './edit-panel.css'

/** From here on the panel stands beside the list; below, it is a sheet over the whole screen. */
const besideList = '(min-width: 64em)'

const leaveQuestion = {
  title: 'Leave without saving?',
  sentence: 'Your changes stay in this browser, and are here again when you open this entry.',
  stay: 'Keep editing',
  leave: 'Leave',
}

/**
 * Holds the form of one entry beside the list. Its address is the page's `edit`: Back closes it. Escape and the cross ask
 * before unsaved changes are left; the focus goes back to the row.
 */
export function EditPanel({ id, onClose, children }: { id: string; onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDialogElement>(null)
  const isBeside = useMedia(besideList)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return
    const held = document.activeElement
    keepingList(() => (isBeside ? element.show() : element.showModal()))
    // While it changes its shape, what was typed in keeps the focus.
    if (held instanceof HTMLElement && element.contains(held)) held.focus({ preventScroll: true })
    return () => keepingList(() => element.close())
  }, [isBeside])
  useEffect(() => {
    const element = panel.current
    // Heard here, a key that closes a dialog above the panel is none of its own.
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      event.preventDefault()
      close.current()
    }
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [])
  useEffect(
    () => () => {
      setTimeout(() => {
        // The browser gives it back to the row that was pressed last, which may be another one.
        if (document.activeElement?.matches('[data-edit]') === true) (document.activeElement as HTMLElement).blur()
        focusOn(id)
      })
    },
    [id],
  )
  return (
    <dialog
      ref={panel}
      className="content-panel"
      aria-label="Edit an entry"
      onCancel={(event) => {
        if (event.target !== panel.current) return
        event.preventDefault()
        onClose()
      }}
    >
      <button
        type="button"
        className="button button-icon content-panel-close"
        aria-label="Close the panel"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      {children}
    </dialog>
  )
}

/** The list keeps its place in the window, though what stands above it folds over more or fewer lines. */
function keepingList(change: () => void): void {
  const top = (): number => document.querySelector('.content-list')?.getBoundingClientRect().top ?? 0
  const before = top()
  change()
  window.scrollBy({ top: top() - before })
}

/**
 * Asks before the address leads away from a form with unsaved changes.
 * @param isFree set while its own buttons close it, which have decided already
 */
export function LeaveQuestion({ isOn, isFree }: { isOn: boolean; isFree: RefObject<boolean> }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isOn &&
      !isFree.current &&
      (nextLocation.pathname !== currentLocation.pathname ||
        editedIn(nextLocation.search) !== editedIn(currentLocation.search)),
  )
  return blocker.state === 'blocked' ? (
    <DiscardQuestion question={leaveQuestion} onStay={() => blocker.reset()} onDiscard={() => blocker.proceed()} />
  ) : null
}

function editedIn(search: string): string | null {
  return new URLSearchParams(search).get('edit')
}
