import { type FormEvent, useRef, useState } from 'react'
import { uploadFile } from '../../../../../browser/api-files.ts'
import type { ApiError } from '../../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../../ui/notice.tsx'
import { Progress } from '../../../../../ui/progress.tsx'
import { recheckAccess } from '../../../../accounts/browser/admin-query.ts'
import { ColumnFaults, ImportForAdmin } from '../../import/import-schema.ts'
import { faultsInWords, sizeInWords } from './import-words.ts'

const maxBytes = 200 * 1024 * 1024

/** Sends a file. Its header is checked before anything else: what is wrong with it stands below. */
export function UploadForm({ onUploaded }: { onUploaded: (imported: ImportForAdmin) => void }) {
  const [share, setShare] = useState(0)
  const [problem, setProblem] = useState<string>()
  const abort = useRef<AbortController>(undefined)
  const [isCancelled, setIsCancelled] = useState(false)
  const upload = useApiMutation<ImportForAdmin, { file: File; signal: AbortSignal }>({
    mutationFn: ({ file, signal }) =>
      uploadFile(`/api/imports?${new URLSearchParams({ name: file.name }).toString()}`, file, ImportForAdmin, {
        onProgress: setShare,
        signal,
      }),
    onSuccess: onUploaded,
    onError: recheckAccess,
  })

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (upload.isPending) return
    const file = new FormData(event.currentTarget).get('file')
    const isFile = file instanceof File && file.name !== ''
    const wrong = !isFile
      ? 'Choose a file first.'
      : file.size > maxBytes
        ? `The file has ${sizeInWords(file.size)}. At most 200 MB can be uploaded; the command line takes larger ones.`
        : undefined
    setProblem(wrong)
    if (wrong !== undefined) {
      upload.reset()
      return
    }
    abort.current = new AbortController()
    setIsCancelled(false)
    setShare(0)
    upload.mutate({ file: file as File, signal: abort.current.signal })
  }

  return (
    <form className="transfer-form" noValidate onSubmit={submit}>
      <div className="field">
        <label htmlFor="import-file">CSV or JSON lines, at most 200 MB</label>
        <input
          id="import-file"
          name="file"
          type="file"
          accept=".csv,.jsonl,.ndjson,text/csv"
          className="field-file"
          aria-describedby="import-file-problem"
          disabled={upload.isPending}
        />
        <p id="import-file-problem" className="field-problem" role="alert">
          {problem}
        </p>
        <p className="field-help">
          The first line names the columns: name, category, contentType and link at least. Upload first: nothing is
          imported before you say so.
        </p>
      </div>
      {upload.isPending ? (
        <Progress label="Upload" share={share}>{`${Math.floor(share * 100)} % sent`}</Progress>
      ) : null}
      <div className="transfer-steps">
        <button type="submit" className="button button-solid" aria-disabled={upload.isPending}>
          {upload.isPending ? 'Uploading...' : 'Upload'}
        </button>
        {upload.isPending ? (
          <button
            type="button"
            className="button"
            onClick={() => {
              setIsCancelled(true)
              abort.current?.abort('cancelled')
            }}
          >
            Cancel
          </button>
        ) : null}
      </div>
      <Announced>
        {upload.error === null || isCancelled ? null : (
          <Notice tone="failed">
            <UploadFault error={upload.error} />
          </Notice>
        )}
      </Announced>
    </form>
  )
}

function UploadFault({ error }: { error: ApiError }) {
  const faults = ColumnFaults.safeParse((error.cause as { columns?: unknown } | undefined)?.columns)
  if (!faults.success) return <p>{error.message}</p>
  return (
    <>
      <p>The first line of the file does not fit. Nothing was kept.</p>
      <ul>
        {faultsInWords(faults.data).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
