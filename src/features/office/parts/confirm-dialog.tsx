import type { ReactNode } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from './dialog-form.tsx'
import { networkRefusal, refusalIn, useSubmission } from './use-submission.ts'

/**
 * Asks once more before something is done, and shows why it was refused. It stays open while the call is under way.
 * @param act makes the call, and says to the page what came of it; it throws the `ApiError` of a refusal
 * @param otherwise the message of a refusal without a sentence of the server
 */
export function ConfirmDialog({
  title,
  label = 'Confirm',
  labelWhileSending,
  isGrave = false,
  otherwise,
  saysBoth = false,
  act,
  onClose,
  children,
}: {
  title: string
  label?: string
  labelWhileSending: string
  /** The action cannot be undone. */
  isGrave?: boolean
  otherwise: string
  /** Whether that message stands above every refusal, and the sentence of the server or of the network below it. */
  saysBoth?: boolean
  act: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const submission = useSubmission({
    check: () => undefined,
    async send() {
      try {
        await act()
      } catch (error) {
        const { message } = refusalIn(error, otherwise)
        return saysBoth && message !== otherwise ? { message: otherwise, detail: message } : { message }
      }
      return undefined
    },
    unreachable: saysBoth ? { message: otherwise, detail: networkRefusal.message } : networkRefusal,
  })
  return (
    <Dialog title={title} isBusy={submission.isSending} onClose={onClose}>
      <DialogForm
        submission={submission}
        label={label}
        labelWhileSending={labelWhileSending}
        isGrave={isGrave}
        done={undefined}
        onCancel={onClose}
      >
        {children}
      </DialogForm>
    </Dialog>
  )
}
