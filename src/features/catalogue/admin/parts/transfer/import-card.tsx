import { useEffect, useRef, useState } from 'react'
import { request } from '../../../../../browser/api-client.ts'
import { downloadFile } from '../../../../../browser/api-files.ts'
import { refetchAnswers, useApiMutation } from '../../../../../browser/queries.ts'
import { Checkbox } from '../../../../../ui/checkbox.tsx'
import { Announced, Notice } from '../../../../../ui/notice.tsx'
import { Progress } from '../../../../../ui/progress.tsx'
import { WorkWaiting } from '../../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../../../accounts/browser/admin-query.ts'
import { ImportForAdmin } from '../../import/import-schema.ts'
import { ImportProblemsTable } from './import-problems.tsx'
import { columnsInWords, isUnderWay, progressInWords, sizeInWords, stateNames, tallyInWords } from './import-words.ts'

const lookEveryMs = 1_000

/** One import, from the uploaded file to its result. What is under way is looked at every second, wherever it is done. */
export function ImportCard({ id }: { id: string }) {
  const path = `/api/imports/${id}`
  const { data, error, setData } = useAdminQuery(path, ImportForAdmin, {
    refetchAfterMs: (imported) => (imported !== undefined && isUnderWay(imported) ? lookEveryMs : false),
  })
  const state = data?.state
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== undefined && before.current !== state) refetchAnswers('/api/imports')
    before.current = state
  }, [state])
  const act = useApiMutation<ImportForAdmin, { verb: 'check' | 'start' | 'cancel'; body: Record<string, unknown> }>({
    mutationFn: ({ verb, body }) => request(`${path}/${verb}`, ImportForAdmin, { method: 'POST', body }),
    onSuccess: (answer) => setData(() => answer),
    onError: recheckAccess,
  })
  if (data === undefined) return error === undefined ? <WorkWaiting /> : <Notice tone="failed">{error.message}</Notice>

  const cancel = (): void => {
    if (!act.isPending) act.mutate({ verb: 'cancel', body: {} })
  }
  const share = data.bytes === 0 ? 0 : data.bytesDone / data.bytes
  return (
    <div className="transfer-card">
      <h3>
        <bdi>{data.fileName}</bdi>
      </h3>
      <div className="transfer-lines">
        <p>{`${stateNames[data.state]}. ${sizeInWords(data.bytes)}.`}</p>
        {columnsInWords(data).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {isUnderWay(data) ? (
        <>
          <Progress label={stateNames[data.state]} share={share}>
            {progressInWords(data, share)}
          </Progress>
          <div className="transfer-steps">
            <button type="button" className="button" aria-disabled={act.isPending} onClick={cancel}>
              {data.state === 'checking' ? 'Stop the check' : 'Stop the import'}
            </button>
          </div>
        </>
      ) : null}
      <Announced>
        {data.failure === null ? null : <Notice tone="failed">{data.failure}</Notice>}
        {!isUnderWay(data) && tallyInWords(data).length > 0 ? (
          <Notice tone={data.state === 'done' && data.problems === 0 ? 'done' : 'calm'}>
            {tallyInWords(data).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Notice>
        ) : null}
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
          <Rejects path={`${path}/rejects`} />
          <ImportProblemsTable key={`${data.state} ${data.problems}`} id={id} />
        </>
      ) : null}
    </div>
  )
}

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
        <Checkbox
          name="publish"
          label="Publish what may be published. The rest stays a draft, and you are told why."
          checked={publish}
          onChange={({ currentTarget }) => setPublish(currentTarget.checked)}
        />
        <Checkbox
          name="createCategories"
          label="Create categories that do not exist yet. Otherwise their rows are rejected."
          checked={createCategories}
          onChange={({ currentTarget }) => setCreateCategories(currentTarget.checked)}
        />
      </div>
      <div className="transfer-steps">
        <button
          type="button"
          className={isChecked ? 'button' : 'button button-solid'}
          aria-disabled={isBusy}
          onClick={() => begin('check')}
        >
          {isChecked ? 'Check again' : 'Check every row'}
        </button>
        <button
          type="button"
          className={isChecked ? 'button button-solid' : 'button'}
          aria-disabled={isBusy}
          onClick={() => begin('start')}
        >
          Import
        </button>
        <button type="button" className="button button-quiet" aria-disabled={isBusy} onClick={onCancel}>
          Give up
        </button>
      </div>
      <p className="work-aside">A check writes nothing. The file is kept for a week, or until it is imported.</p>
    </div>
  )
}

function Rejects({ path }: { path: string }) {
  const download = useApiMutation({ mutationFn: () => downloadFile(path), onError: recheckAccess })
  return (
    <div className="transfer-lines">
      <p>Mend these rows in the rejects file, and import that file.</p>
      <div className="transfer-steps">
        <button
          type="button"
          className="button"
          aria-disabled={download.isPending}
          onClick={() => {
            if (!download.isPending) download.mutate()
          }}
        >
          {download.isPending ? 'Preparing...' : 'Download the rejects file'}
        </button>
      </div>
      <Announced>
        {download.error === null ? null : <Notice tone="failed">{download.error.message}</Notice>}
        {download.data === undefined ? null : <Notice tone="done">{`Saved as ${download.data}.`}</Notice>}
      </Announced>
    </div>
  )
}
