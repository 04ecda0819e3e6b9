import { useEffect, useRef, useState } from 'react'
import { ApiError, request } from '../../../../browser/api-client.ts'
import { refetchAnswers, useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { RunProgress } from '../../../office/runs/parts/run-progress.tsx'
import { BulkEditForAdmin } from '../bulk-schema.ts'
import { BulkItemsTable } from './bulk-items.tsx'
import {
  applySentence,
  bulkStateNames,
  countsInSentences,
  isAtWork,
  outcomesShown,
  undoSentence,
  valuesInWords,
  whichInWords,
} from './bulk-words.ts'
import { useFieldWords } from './use-field-words.ts'
import { useSwitches } from './use-switches.ts'

const lookEveryMs = 1_000

/** One edit, from its preview to its undo. */
export function BulkCard({ id }: { id: string }) {
  const path = `/api/bulk-edits/${id}`
  const { data, error, setData } = useAdminQuery(path, BulkEditForAdmin, {
    refetchAfterMs: (edit) => (edit !== undefined && isAtWork(edit) ? lookEveryMs : false),
  })
  const words = useFieldWords()
  const [confirming, setConfirming] = useState<'apply' | 'undo'>()
  const state = data?.state
  const before = useRef(state)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (before.current !== undefined && before.current !== state) {
      refetchAnswers('/api/bulk-edits')
      // The buttons of the state before are gone, and one of them may have had the focus.
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    }
    before.current = state
  }, [state])
  const call = (verb: 'apply' | 'undo' | 'cancel', body = {}): Promise<BulkEditForAdmin> =>
    request(`${path}/${verb}`, BulkEditForAdmin, { method: 'POST', body })
  const switches = useSwitches(path, (edit) => setData(() => edit))
  const cancel = useApiMutation({
    mutationFn: () => call('cancel'),
    onSuccess: (edit) => setData(() => edit),
    onError: recheckAccess,
  })
  if (data === undefined) return error === undefined ? null : <Notice tone="failed">{error.message}</Notice>

  const { planned, changed, left } = data.counts
  const canApply = planned > 0 && (data.state === 'ready' || (data.state === 'failed' && data.appliedAt !== null))
  return (
    <div className="transfer-card">
      <h3 ref={heading} tabIndex={-1}>
        {valuesInWords(data.changes, words)}
      </h3>
      <div className="transfer-lines">
        <p>{`${bulkStateNames[data.state]}. ${whichInWords(data.filter, words)}.`}</p>
      </div>
      {data.progress === null ? null : (
        <RunProgress
          label={bulkStateNames[data.state]}
          share={data.progress}
          progress={`${Math.floor(data.progress * 100)} %`}
          error={error}
        />
      )}
      <Announced>
        {data.failure === null ? null : <Notice tone="failed">{data.failure}</Notice>}
        {isAtWork(data) || data.state === 'cancelled' ? null : (
          <Notice tone={data.state === 'done' ? 'done' : 'calm'}>
            {countsInSentences(data).map((line) => (
              <p key={line}>{line}</p>
            ))}
            {data.undoUntil === null ? null : <p>{`It can be undone until ${timeInWords(data.undoUntil)}.`}</p>}
          </Notice>
        )}
        {cancel.error === null ? null : <Notice tone="failed">{cancel.error.message}</Notice>}
        {switches.error === undefined ? null : <Notice tone="failed">{switches.error.message}</Notice>}
      </Announced>
      <div className="transfer-steps">
        {canApply ? (
          <button
            type="button"
            className="button button-solid"
            aria-disabled={switches.isBusy}
            onClick={() => {
              if (!switches.isBusy) setConfirming('apply')
            }}
          >
            {planned === 1 ? 'Change 1 entry' : `Change ${planned.toLocaleString('en-US')} entries`}
          </button>
        ) : null}
        {data.undoUntil === null ? null : (
          <button type="button" className="button" onClick={() => setConfirming('undo')}>
            Undo
          </button>
        )}
        {data.state === 'ready' || isAtWork(data) ? (
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={cancel.isPending}
            onClick={() => {
              if (!cancel.isPending) cancel.mutate()
            }}
          >
            {data.state === 'ready' || data.state === 'previewing' ? 'Discard' : 'Stop'}
          </button>
        ) : null}
      </div>
      {isAtWork(data) || data.state === 'cancelled' || outcomesShown(data).length === 0 ? null : (
        <BulkItemsTable key={data.state} edit={data} onSwitch={switches.send} />
      )}
      {confirming === undefined ? null : (
        <ConfirmDialog
          title={confirming === 'apply' ? 'Change these entries?' : 'Undo this edit?'}
          label={confirming === 'apply' ? 'Change them' : 'Undo it'}
          labelWhileSending="Starting..."
          otherwise="This could not be started."
          act={async () => {
            try {
              const edit = await call(confirming, confirming === 'apply' ? { version: data.version } : {})
              setData(() => edit)
            } catch (refusal) {
              // Somebody else has switched entries, or begun: their state is shown behind the sentence.
              if (refusal instanceof ApiError && refusal.status === 409) switches.lookAgain()
              throw refusal
            }
            setConfirming(undefined)
          }}
          onClose={() => setConfirming(undefined)}
        >
          <p>{confirming === 'apply' ? applySentence(planned) : undoSentence(changed + left)}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
