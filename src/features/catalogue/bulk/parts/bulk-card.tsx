import { timeInWords } from '../../../../browser/format-instant.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { RunProgress } from '../../../office/runs/parts/run-progress.tsx'
import { useChangedState } from '../../../office/runs/parts/use-changed-state.ts'
import { BulkItemsTable } from './bulk-items.tsx'
import {
  bulkStateNames,
  countsInSentences,
  isAtWork,
  outcomesShown,
  valuesInWords,
  whichInWords,
  applySentence,
  undoSentence,
} from './bulk-words.ts'
import { useBulkEdit } from './use-bulk-edit.ts'
import { useFieldWords } from './use-field-words.ts'
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { BulkEditForAdmin } from '../bulk-schema.ts'

export function BulkCard({ id }: { id: string }) {
  const { edit, error, switches, cancel, start } = useBulkEdit(id)
  const words = useFieldWords()
  const heading = useChangedState('/api/bulk-edits', edit?.state)
  if (edit === undefined) return error === undefined ? null : <Notice tone="failed">{error.message}</Notice>

  const hasResults = !isAtWork(edit) && edit.state !== 'cancelled'
  return (
    <div className="transfer-card">
      <h3 ref={heading} tabIndex={-1}>
        {valuesInWords(edit.changes, words)}
      </h3>
      <div className="transfer-lines">
        <p>{`${bulkStateNames[edit.state]}. ${whichInWords(edit.filter, words)}.`}</p>
      </div>
      {edit.progress === null ? null : (
        <RunProgress
          label={bulkStateNames[edit.state]}
          share={edit.progress}
          progress={`${Math.floor(edit.progress * 100)} %`}
          error={error}
        />
      )}
      <Announced>
        {edit.failure === null ? null : <Notice tone="failed">{edit.failure}</Notice>}
        {hasResults ? (
          <Notice tone={edit.state === 'done' ? 'done' : 'calm'}>
            {countsInSentences(edit).map((line) => (
              <p key={line}>{line}</p>
            ))}
            {edit.undoUntil === null ? null : <p>{`It can be undone until ${timeInWords(edit.undoUntil)}.`}</p>}
          </Notice>
        ) : null}
        {cancel.error === null ? null : <Notice tone="failed">{cancel.error.message}</Notice>}
        {switches.error === undefined ? null : <Notice tone="failed">{switches.error.message}</Notice>}
      </Announced>
      <BulkSteps edit={edit} isSwitching={switches.isBusy} cancel={cancel} start={start} />
      {hasResults && outcomesShown(edit).length > 0 ? (
        <BulkItemsTable key={edit.state} edit={edit} onSwitch={switches.send} />
      ) : null}
    </div>
  )
}

function BulkSteps({
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
