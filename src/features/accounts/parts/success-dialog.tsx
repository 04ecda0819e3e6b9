import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** Says that what was confirmed is done, until it is closed. */
export function SuccessDialog({ message, onClose }: { message: string; onClose: () => void }) {
  return (
    <Dialog title="Success" onClose={onClose}>
      <p role="status">{message}</p>
      <div className="dialog-actions">
        <Button look="solid" label="Close" onClick={onClose} />
      </div>
    </Dialog>
  )
}
