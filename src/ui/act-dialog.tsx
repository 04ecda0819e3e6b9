import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, type FormAct } from './form/form.tsx'
import type { FormState } from './form/use-form.ts'

/**
 * A dialog of an act: the question, its fields, how far it is, and what came of it. It stays open while the call is
 * under way, and asks before typed text is lost.
 */
export function ActDialog<Values extends FieldValues>({
  title,
  lead,
  form,
  asksBeforeClosing = true,
  canClose = true,
  onClose,
  children,
  after,
  ...act
}: {
  title: string
  /** Stands above the form. */
  lead?: ReactNode
  form: FormState<Values>
  /** Whether what was typed would be missed. */
  asksBeforeClosing?: boolean
  /** Whether it can still be closed once all went well. */
  canClose?: boolean
  onClose: () => void
  children?: ReactNode
  /** Stands below the form. */
  after?: ReactNode
} & Omit<FormAct, 'isOver'>) {
  const isOver = act.done !== undefined
  const isFinal = isOver && !canClose
  return (
    <Dialog
      title={title}
      isBusy={form.isSending || isFinal}
      isDirty={asksBeforeClosing && form.isDirty && !isOver}
      onClose={onClose}
    >
      {lead}
      <Form
        form={form}
        act={{ ...act, isOver }}
        steps="dialog-actions"
        before={
          <Button
            label={isOver && canClose ? 'Close' : 'Cancel'}
            isBusy={form.isSending || isFinal}
            onClick={onClose}
          />
        }
      >
        {children}
      </Form>
      {after}
    </Dialog>
  )
}
