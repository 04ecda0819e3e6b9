import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import './dialog.css'

/**
 * A question that stands before the page until it is answered; a sheet on narrow screens. It is open while it is
 * rendered. The browser gives the focus to its first control and back to where it was; Escape closes it, a click beside
 * it too, as long as nothing would be lost. Where something would, Escape asks first.
 *
 * It stands at the end of the page, whatever asks for it: a form inside of another form is no form to a browser.
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
  /** Something has been typed: only who means to closes it, and Escape asks once more. */
  isDirty?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isAsking, setIsAsking] = useState(false)

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closed before it goes: only then does the browser give the focus back.
    return () => element?.close()
  }, [])

  const discard = (): void => {
    // The question first: while it stands, the focus cannot go back behind this dialog.
    flushSync(() => setIsAsking(false))
    dialog.current?.close()
  }

  const shown = (
    <>
      <dialog
        ref={dialog}
        className="dialog"
        aria-labelledby={id}
        closedby={isBusy ? 'none' : isDirty ? 'closerequest' : 'any'}
        onCancel={(event) => {
          // Those of a field for files are none of the dialog's.
          if (event.target !== dialog.current) return
          // Busy: for browsers that do not know `closedby`.
          if (isBusy || isDirty) event.preventDefault()
          if (isDirty && !isBusy) setIsAsking(true)
        }}
        onClose={() => {
          if (dialog.current?.open === false) onClose()
        }}
        // React hands events on to what renders it, which may be a form of its own.
        onSubmit={stop}
        onInput={stop}
      >
        <h2 id={id}>{title}</h2>
        {children}
      </dialog>
      {isAsking ? (
        <Dialog title="Discard what you typed?" onClose={() => setIsAsking(false)}>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setIsAsking(false)}>
              Keep editing
            </button>
            <button type="button" className="button button-solid accent-banned" onClick={discard}>
              Discard
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
  return typeof document === 'undefined' ? shown : createPortal(shown, document.body)
}

function stop(event: SyntheticEvent): void {
  event.stopPropagation()
}
