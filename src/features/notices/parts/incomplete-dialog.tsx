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
        <button type="button" className="button" onClick={onClose}>
          Go back
        </button>
        <button type="button" className="button button-solid" onClick={onSend}>
          Send it as it is
        </button>
      </div>
    </Dialog>
  )
}
