import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { refetchAnswersUnder, useApiMutation } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { sizeInWords } from '../../../../ui/size-in-words.ts'
import { WorkWaiting } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { RejectsDownload } from '../../../office/runs/parts/rejects-download.tsx'
import { RunProgress } from '../../../office/runs/parts/run-progress.tsx'
import { useChangedState } from '../../../office/runs/parts/use-changed-state.ts'
import { ImportForAdmin } from '../import-schema.ts'
import { ImportProblemsPanel } from './import-problems.tsx'
import {
  columnsInWords,
  createdInWords,
  importLabel,
  isUnderWay,
  progressInWords,
  stateInWords,
  stoppedInWords,
  stopSentence,
  tallyInWords,
} from './import-words.ts'

const lookEveryMs = 1_000

/** One import, from the uploaded file to its result. A running one is polled every second, wherever it runs. */
export function ImportCard({ id }: { id: string }) {
  const path = `/api/imports/${id}`
  const { data, error, setData } = useAdminQuery(path, ImportForAdmin, {
    refetchAfterMs: (imported) => (imported !== undefined && isUnderWay(imported) ? lookEveryMs : false),
  })
  const heading = useChangedState('/api/imports', data?.state)
  const [isStopping, setIsStopping] = useState(false)
  /** How many categories were created for the check that is under way, or was the last. */
  const [created, setCreated] = useState<number>()
  const act = useApiMutation<
    ImportForAdmin,
    { verb: 'check' | 'start' | 'cancel' | 'categories'; body: Record<string, unknown> }
  >({
    mutationFn: ({ verb, body }) => request(`${path}/${verb}`, ImportForAdmin, { method: 'POST', body }),
    onSuccess: (answer) => {
      setData(() => answer)
      setCreated(undefined)
      // They belong to the check before.
      refetchAnswersUnder(`${path}/problem`)
    },
    onError: recheckAccess,
  })
  if (data === undefined) return error === undefined ? <WorkWaiting /> : <Notice tone="failed">{error.message}</Notice>

  const cancel = (): void => {
    if (!act.isPending) act.mutate({ verb: 'cancel', body: {} })
  }
  const share = data.bytes === 0 ? 0 : data.bytesDone / data.bytes
  return (
    <div className="transfer-card">
      <h3 ref={heading} tabIndex={-1}>
        <bdi>{data.fileName}</bdi>
      </h3>
      <div className="transfer-lines">
        <p>{`${stateInWords(data)}. ${sizeInWords(data.bytes)}.`}</p>
        <p>{columnsInWords(data)}</p>
        {data.format === 'jsonl' || data.columnsLeftOut.length === 0 ? null : (
          <details>
            <summary>{`Not in the file, and optional: ${counted(data.columnsLeftOut.length, 'column')}`}</summary>
            <p>{data.columnsLeftOut.join(', ')}</p>
          </details>
        )}
      </div>
      {isUnderWay(data) ? (
        <RunProgress
          label={stateInWords(data)}
          share={share}
          progress={progressInWords(data, share)}
          error={error}
          stop={{
            label: data.state === 'checking' ? 'Stop the check' : 'Stop the import',
            isPending: act.isPending,
            onStop: data.state === 'checking' ? cancel : () => setIsStopping(true),
          }}
        />
      ) : null}
      <Announced>
        {created === undefined ? null : <Notice tone="done">{createdInWords(created)}</Notice>}
        {data.failure === null ? null : <Notice tone="failed">{data.failure}</Notice>}
        {!isUnderWay(data) && tallyInWords(data).length > 0 ? (
          <Notice tone={data.state === 'done' && data.problems === 0 ? 'done' : 'calm'}>
            {tallyInWords(data).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Notice>
        ) : null}
        {data.state === 'cancelled' ? <Notice tone="calm">{stoppedInWords(data)}</Notice> : null}
        {act.error === null ? null : <Notice tone="failed">{act.error.message}</Notice>}
      </Announced>
      {data.hasFile && !isUnderWay(data) ? (
        <ImportOptions
          imported={data}
          isBusy={act.isPending}
          onBegin={(verb, body) => act.mutate({ verb, body })}
          onCancel={cancel}
        />
      ) : null}
      {data.hasRejects && data.problems > 0 && !isUnderWay(data) ? (
        <>
          <RejectsDownload path={`${path}/rejects`} />
          <ImportProblemsPanel
            key={`${data.state} ${data.problems}`}
            id={id}
            isBusy={act.isPending}
            onCreate={
              data.hasFile
                ? (count) =>
                    act.mutate(
                      { verb: 'categories', body: { publish: data.publish } },
                      { onSuccess: () => setCreated(count) },
                    )
                : undefined
            }
          />
        </>
      ) : null}
      {isStopping && data.state === 'importing' ? (
        <ConfirmDialog
          title="Stop the import?"
          label="Stop the import"
          labelWhileSending="Stopping..."
          isGrave
          otherwise="The import could not be stopped."
          act={async () => {
            await act.mutateAsync({ verb: 'cancel', body: {} })
            setIsStopping(false)
          }}
          onClose={() => setIsStopping(false)}
        >
          <p>{stopSentence}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

const publishChoices = [
  { value: false, label: 'Keep everything as drafts.' },
  { value: true, label: 'Publish what passes the checks. The rest stay drafts, with the reasons.' },
] as const

function ImportOptions({
  imported,
  isBusy,
  onBegin,
  onCancel,
}: {
  imported: ImportForAdmin
  isBusy: boolean
  onBegin: (verb: 'check' | 'start', options: { publish: boolean; createCategories: boolean }) => void
  onCancel: () => void
}) {
  const [publish, setPublish] = useState(imported.publish)
  const [createCategories, setCreateCategories] = useState(imported.createCategories)
  const begin = (verb: 'check' | 'start'): void => {
    if (!isBusy) onBegin(verb, { publish, createCategories })
  }
  const isChecked =
    imported.wasChecked && imported.publish === publish && imported.createCategories === createCategories
  return (
    <div className="transfer-form">
      <div className="transfer-boxes">
        <fieldset className="transfer-choice">
          <legend>Publish or keep as drafts?</legend>
          {publishChoices.map(({ value, label }) => (
            <label key={label}>
              <input type="radio" name="publish" checked={publish === value} onChange={() => setPublish(value)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <Checkbox
          name="createCategories"
          label="Create categories that do not exist yet. Otherwise their rows are rejected."
          checked={createCategories}
          onChange={({ currentTarget }) => setCreateCategories(currentTarget.checked)}
        />
      </div>
      <div className="work-steps">
        <Button
          look={isChecked ? 'plain' : 'solid'}
          label={isChecked ? 'Check again' : 'Check every row'}
          isBusy={isBusy}
          onClick={() => begin('check')}
        />
        <Button
          look={isChecked && imported.tally?.rejected === 0 ? 'solid' : 'plain'}
          label={isChecked ? importLabel(imported) : 'Import'}
          isBusy={isBusy}
          onClick={() => begin('start')}
        />
        <Button look="quiet" label="Discard" isBusy={isBusy} onClick={onCancel} />
      </div>
      <p className="work-aside">A check changes nothing. The file is kept for a week, or until it is imported.</p>
    </div>
  )
}
