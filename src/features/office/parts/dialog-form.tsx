import type { ReactNode } from 'react'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { networkRefusal, type Refusal, type Submission } from './use-submission.ts'

/** No answer came, and what that usually means (docs/spec/pages.md#account-dialogs). */
export const unknownRefusal: Refusal = { message: 'An unknown error occurred', detail: networkRefusal.message }

/**
 * The form of a dialog: its fields, its message, and two buttons.
 * @param done the message after success; the form cannot be sent again then
 * @param isReady false while the form cannot be sent
 */
export function DialogForm({
  submission,
  label,
  labelWhileSending,
  done,
  isReady = true,
  isGrave = false,
  canCancel = true,
  onInput,
  onCancel,
  children,
}: {
  submission: Submission
  label: string
  labelWhileSending: string
  done: string | undefined
  isReady?: boolean
  /** The action cannot be undone. */
  isGrave?: boolean
  /** Whether it can still be closed once all went well. */
  canCancel?: boolean
  onInput?: () => void
  onCancel: () => void
  children: ReactNode
}) {
  const { isSending, refusal } = submission
  const isOver = done !== undefined
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        if (isOver) event.preventDefault()
        else submission.onSubmit(event)
      }}
      onInput={(event) => {
        submission.onInput(event)
        onInput?.()
      }}
    >
      {children}
      <Announced>
        {refusal === undefined ? null : (
          <Notice tone="failed">
            <p>{refusal.message}</p>
            {refusal.detail === undefined ? null : <p>{refusal.detail}</p>}
          </Notice>
        )}
        {isOver ? (
          <Notice tone="done">
            <p>{done}</p>
          </Notice>
        ) : null}
      </Announced>
      <div className="dialog-actions">
        <button
          type="button"
          className="button"
          aria-disabled={isSending || (isOver && !canCancel)}
          onClick={() => {
            if (!isSending && (canCancel || !isOver)) onCancel()
          }}
        >
          {isOver && canCancel ? 'Close' : 'Cancel'}
        </button>
        <button
          type="submit"
          className={isGrave ? 'button button-solid accent-banned' : 'button button-solid'}
          disabled={!isReady}
          aria-disabled={isSending || isOver}
        >
          {isSending ? <span className="spinner" aria-hidden="true" /> : null}
          {isSending ? labelWhileSending : label}
        </button>
      </div>
    </form>
  )
}
