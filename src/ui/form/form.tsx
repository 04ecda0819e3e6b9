import type { ComponentProps, ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Announced, Notice } from '../notice.tsx'
import type { FormState } from './use-form.ts'
import { useBeforeUnload, useBlocker } from 'react-router'
import { DiscardQuestion } from '../dialog.tsx'

/** The words of a form's button, and what becomes of it. */
export interface FormAct {
  label: string
  labelWhileSending: string
  /** The action cannot be undone. */
  isGrave?: boolean
  /** It is not the next step. */
  isQuiet?: boolean
  /** False while the form cannot be sent. */
  isReady?: boolean
  done?: ReactNode
  /** Nothing can be sent any more. */
  isOver?: boolean
}

export function Form<Values extends FieldValues>({
  form,
  act: { label, labelWhileSending, isGrave = false, isQuiet = false, isReady = true, done, isOver = false },
  notes,
  guardsLeaving = false,
  steps,
  before,
  after,
  children,
  ...element
}: {
  form: FormState<Values>
  act: FormAct
  /** Stand among the messages, and are read out when they appear. */
  notes?: ReactNode
  /** Whether the page is not left without a question while something unsaved stands in it. */
  guardsLeaving?: boolean
  steps?: string
  /** Other buttons, before that which sends it and after it. */
  before?: ReactNode
  after?: ReactNode
  children?: ReactNode
} & Pick<ComponentProps<'form'>, 'className' | 'aria-label' | 'aria-labelledby'>) {
  const { isSending, refusal } = form
  return (
    <form
      {...element}
      method="post"
      noValidate
      onSubmit={(event) => {
        if (isOver) event.preventDefault()
        else form.onSubmit(event)
      }}
    >
      {children}
      {guardsLeaving ? <LeaveGuard isOn={form.isDirty} /> : null}
      <Announced>
        {notes}
        {refusal === undefined ? null : (
          <Notice tone="failed">
            <p>{refusal.message}</p>
            {refusal.detail === undefined ? null : <p>{refusal.detail}</p>}
          </Notice>
        )}
        {done === undefined ? null : (
          <Notice tone="done">
            <p>{done}</p>
          </Notice>
        )}
      </Announced>
      <div className={steps}>
        {before}
        <button
          type="submit"
          className={isQuiet ? 'button' : isGrave ? 'button button-solid accent-banned' : 'button button-solid'}
          disabled={!isReady}
          aria-disabled={isSending || isOver}
        >
          {isSending ? <span className="spinner" aria-hidden="true" /> : null}
          {isSending ? labelWhileSending : label}
        </button>
        {after}
      </div>
    </form>
  )
}

/** Asks before a page is left on which something was typed that is not saved. */
function LeaveGuard({ isOn }: { isOn: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isOn && nextLocation.pathname !== currentLocation.pathname,
  )
  useBeforeUnload((event) => {
    if (isOn) event.preventDefault()
  })
  return blocker.state === 'blocked' ? (
    <DiscardQuestion onStay={() => blocker.reset()} onDiscard={() => blocker.proceed()} />
  ) : null
}
