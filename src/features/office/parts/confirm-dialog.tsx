import type { ReactNode } from 'react'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { useApiForm } from '../browser/api-form.ts'

/**
 * Asks once more before an act, and shows why it was refused.
 * @param act makes the call and reports its outcome to the page; throws the `ApiError` of a refusal
 * @param otherwise the message of a refusal without a sentence of the server
 * @param saysBoth whether that message stands above every refusal, with the other sentence below it
 */
export function ConfirmDialog({
  label = 'Confirm',
  otherwise,
  saysBoth = false,
  act,
  ...dialog
}: {
  title: string
  label?: string
  labelWhileSending: string
  /** The action cannot be undone. */
  isGrave?: boolean
  otherwise: string
  saysBoth?: boolean
  act: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const form = useApiForm({ defaults: {}, send: act, otherwise, saysBoth })
  return <ActDialog {...dialog} form={form} label={label} />
}
