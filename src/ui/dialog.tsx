import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import './dialog.css'

/**
 * A question that stands before the page until it is answered; a sheet on narrow screens. It is open while it is
 * rendered. The browser gives the focus to its first control and back to where it was; Escape closes it, a click beside
 * it too, as long as nothing would be lost.
 */
export function Dialog({
  title,
  isBusy = false,
  isDirty = false,
  onClose,
  children,
}: {
  title: string
  /** Something is under way whose outcome will be told here: it stays open. */
  isBusy?: boolean
  /** Something has been typed: only who means to closes it. */
  isDirty?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closed before it goes: only then does the browser give the focus back.
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      closedby={isBusy ? 'none' : isDirty ? 'closerequest' : 'any'}
      onCancel={(event) => {
        // For browsers that do not know `closedby`.
        if (isBusy) event.preventDefault()
      }}
      onClose={() => {
        if (dialog.current?.open === false) onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
