import { Button } from './button.tsx'
import { type ReactNode, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import './dialog.css'

const doubleClickMs = 500

const discardQuestion: { title: string; sentence?: string; stay: string; leave: string } = {
  title: 'Discard what you typed?',
  stay: 'Keep editing',
  leave: 'Discard',
}

/**
 * A modal question, open while it is rendered; a sheet on narrow screens. The browser moves the focus to its first
 * control and back. Escape and a click beside it close it; Escape asks first if text would be lost. It is rendered at
 * the end of the page: browsers know no form inside of another form.
 */
export function Dialog({
  title,
  isBusy = false,
  isDirty = false,
  question,
  onClose,
  children,
}: {
  title: string
  /** An act is under way whose outcome is shown here: it stays open. */
  isBusy?: boolean
  /** Something has been typed: only who means to closes it, and Escape asks once more. */
  isDirty?: boolean
  question?: typeof discardQuestion
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isAsking, setIsAsking] = useState(false)
  /** The second click of a double click on what opened it may fall beside it. */
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), doubleClickMs)
    return () => clearTimeout(timer)
  }, [])

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      // Closed before it goes: only then does the browser give the focus back.
      element?.close()
      // If the focused element went with the dialog, the keyboard continues at the page, not at its very beginning.
      setTimeout(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
      })
    }
  }, [])

  const discard = (): void => {
    // The question first: while it stands, the focus cannot go back behind this dialog.
    flushSync(() => setIsAsking(false))
    onClose()
  }

  const shown = (
    <>
      <dialog
        ref={dialog}
        className="dialog"
        aria-labelledby={id}
        closedby={isBusy ? 'none' : isDirty || !isSettled ? 'closerequest' : 'any'}
        onCancel={(event) => {
          // Those of a field for files are none of the dialog's.
          if (event.target !== dialog.current) return
          // It goes with its state. Closed by the browser, it would give the focus back before its owner knows, and what is
          // pressed in between, such as Enter on the button that opened it, would be lost.
          event.preventDefault()
          if (isBusy) return
          if (isDirty) setIsAsking(true)
          else onClose()
        }}
        // Some browsers close it without asking.
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
      {isAsking ? <DiscardQuestion question={question} onStay={() => setIsAsking(false)} onDiscard={discard} /> : null}
    </>
  )
  return typeof document === 'undefined' ? shown : createPortal(shown, document.body)
}

/** Asks before typed text is lost. */
export function DiscardQuestion({
  question: { title, sentence, stay, leave } = discardQuestion,
  onStay,
  onDiscard,
}: {
  question?: typeof discardQuestion | undefined
  onStay: () => void
  onDiscard: () => void
}) {
  return (
    <Dialog title={title} onClose={onStay}>
      {sentence === undefined ? null : <p className="dialog-lead">{sentence}</p>}
      <div className="dialog-actions">
        <Button label={stay} onClick={onStay} />
        <button type="button" className="button button-solid accent-banned" onClick={onDiscard}>
          {leave}
        </button>
      </div>
    </Dialog>
  )
}

function stop(event: SyntheticEvent): void {
  event.stopPropagation()
}
