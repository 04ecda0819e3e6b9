import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { BulkEditForAdmin } from '../bulk-schema.ts'
import { applySentence, isAtWork, undoSentence } from './bulk-words.ts'
import type { useBulkEdit } from './use-bulk-edit.ts'

export function BulkSteps({
  edit,
  isSwitching,
  cancel,
  start,
}: Pick<ReturnType<typeof useBulkEdit>, 'cancel' | 'start'> & { edit: BulkEditForAdmin; isSwitching: boolean }) {
  const [confirming, setConfirming] = useState<'apply' | 'undo'>()
  const { planned, changed, left } = edit.counts
  const canApply = planned > 0 && (edit.state === 'ready' || (edit.state === 'failed' && edit.appliedAt !== null))
  return (
    <>
      <div className="work-steps">
        {canApply ? (
          <Button
            look="solid"
            label={planned === 1 ? 'Change 1 entry' : `Change ${planned.toLocaleString('en-US')} entries`}
            isBusy={isSwitching}
            onClick={() => setConfirming('apply')}
          />
        ) : null}
        {edit.undoUntil === null ? null : <Button label="Undo" onClick={() => setConfirming('undo')} />}
        {edit.state === 'ready' || isAtWork(edit) ? (
          <Button
            look="quiet"
            label={edit.state === 'ready' || edit.state === 'previewing' ? 'Discard' : 'Stop'}
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate()}
          />
        ) : null}
      </div>
      {confirming === undefined ? null : (
        <ConfirmDialog
          title={confirming === 'apply' ? 'Change these entries?' : 'Undo this edit?'}
          label={confirming === 'apply' ? 'Change them' : 'Undo it'}
          labelWhileSending="Starting..."
          otherwise="This could not be started."
          act={async () => {
            await start(confirming)
            setConfirming(undefined)
          }}
          onClose={() => setConfirming(undefined)}
        >
          <p>{confirming === 'apply' ? applySentence(planned) : undoSentence(changed + left)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
