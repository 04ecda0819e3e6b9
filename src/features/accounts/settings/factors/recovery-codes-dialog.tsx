import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { saveFile } from '../../../../browser/save-file.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { CopyButton } from './copy-button.tsx'
import './factors.css'

const question = {
  title: 'Close without saving the codes?',
  sentence: "They can't be shown again. You would have to make new ones.",
  stay: 'Back to the codes',
  leave: 'Close without saving',
}

/** Shows recovery codes, once: who has neither downloaded nor copied them is asked before it closes. */
export function RecoveryCodesDialog({
  codes,
  isFirst,
  email,
  onClose,
}: {
  codes: readonly string[]
  /** They came with the first factor. */
  isFirst: boolean
  email: string
  onClose: () => void
}) {
  const [saved, setSaved] = useState<string>()
  const [isCopied, setIsCopied] = useState(false)
  const save = (): void => {
    const name = `recovery-codes-${window.location.hostname}.txt`
    saveFile(name, new Blob([codesAsFile(codes, email)], { type: 'text/plain;charset=utf-8' }))
    setSaved(name)
  }
  return (
    <Dialog
      title="Your recovery codes"
      isDirty={saved === undefined && !isCopied}
      question={question}
      onClose={onClose}
    >
      <p className="dialog-lead">
        {isFirst ? 'Two-step sign-in is on. ' : 'The codes from before do not work any more. '}
        If you lose your passkey or your app, each of these codes signs you in once. They are shown only now: keep them
        somewhere you can reach without this device.
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-steps">
        <button type="button" className="button" onClick={save}>
          <Icon name="download" />
          Download
        </button>
        <CopyButton text={codes.join('\n')} label="Copy" onCopied={() => setIsCopied(true)} />
        <span role="status" className="soft-label copy-outcome">
          {saved === undefined ? null : `Saved as ${saved}.`}
        </span>
      </div>
      <div className="dialog-actions">
        <Button look="solid" label="I have saved them" onClick={onClose} />
      </div>
    </Dialog>
  )
}

function codesAsFile(codes: readonly string[], email: string): string {
  return [
    `Recovery codes of ${window.location.origin}`,
    `Account: ${email}`,
    `Made on ${new Date().toISOString().slice(0, 10)}. Each code works once.`,
    '',
    ...codes,
    '',
  ].join('\n')
}
