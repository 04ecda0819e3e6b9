import type { ReactNode } from 'react'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import type { Submission } from './use-submission.ts'
import './form-page.css'

/** A page that is one form: its heading, a sentence, the form, and where else to go. */
export function FormPage({
  title,
  lead,
  children,
  elsewhere,
  isForVisitors = false,
}: {
  title: ReactNode
  lead: ReactNode
  children: ReactNode
  elsewhere?: ReactNode
  /** Whether members see something else here: the form does not flash for them while the page hydrates. */
  isForVisitors?: boolean
}) {
  return (
    <div className={isForVisitors ? 'column form-page is-for-visitors' : 'column form-page'}>
      <div className="form-card">
        <header>
          <h1>{title}</h1>
          <p>{lead}</p>
        </header>
        {children}
      </div>
      {elsewhere === undefined ? null : <p className="form-elsewhere">{elsewhere}</p>}
    </div>
  )
}

/** The form itself. It can be sent once the page has come to life: before, a browser would send it by itself. */
export function AccountForm({
  submission,
  label,
  labelWhileSending,
  done,
  isOver = done !== undefined,
  remedy,
  instead,
  children,
}: {
  submission: Submission
  label: string
  labelWhileSending: string
  done?: ReactNode
  isOver?: boolean
  /** Stands under the message of the whole form. */
  remedy?: ReactNode
  /** Replaces the button after the form was sent for good. */
  instead?: ReactNode
  children: ReactNode
}) {
  const { isSending, refusal, onSubmit, onInput } = submission
  const isHydrated = useIsHydrated()
  return (
    <>
      <p className="without-script notice notice-calm">This form needs JavaScript. Please allow it for this site.</p>
      <form className="account-form with-script" method="post" noValidate onSubmit={onSubmit} onInput={onInput}>
        {children}
        <Announced>
          {refusal === undefined ? null : (
            <Notice tone="failed">
              <p>{refusal.message}</p>
              {refusal.detail === undefined ? null : <p>{refusal.detail}</p>}
              {remedy}
            </Notice>
          )}
          {done === undefined ? null : <Notice tone="done">{done}</Notice>}
        </Announced>
        {instead ?? (
          <SubmitButton isBusy={isSending || isOver} isReady={isHydrated}>
            {isSending || isOver ? labelWhileSending : label}
          </SubmitButton>
        )}
      </form>
    </>
  )
}

function SubmitButton({ isBusy, isReady, children }: { isBusy: boolean; isReady: boolean; children: ReactNode }) {
  return (
    <button
      type="submit"
      className={isReady ? 'button button-solid' : 'button button-solid is-waking'}
      disabled={isBusy || !isReady}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  )
}
