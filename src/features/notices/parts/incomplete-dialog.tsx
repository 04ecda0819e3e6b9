import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

export function IncompleteDialog({
  missing,
  onSend,
  onClose,
}: {
  missing: readonly string[]
  onSend: () => void
  onClose: () => void
}) {
  return (
    <Dialog title="Send it incomplete?" onClose={onClose}>
      <p>This is missing:</p>
      <ul className="typed-missing">
        {missing.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      <p className="dialog-lead">You can add it later on the private page of your notice.</p>
      <div className="dialog-actions">
        <Button label="Go back" onClick={onClose} />
        <Button look="solid" label="Send it as it is" onClick={onSend} />
      </div>
    </Dialog>
  )
}
