import { type FormEvent, useRef, useState } from 'react'
import { uploadFile } from '../../../../browser/api-files.ts'
import type { ApiError } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { FileField } from '../../../../ui/file-field.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { sizeInWords } from '../../../../ui/size-in-words.ts'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { ColumnFaults, ImportForAdmin } from '../import-schema.ts'
import { faultsInWords } from './import-words.ts'

const maxBytes = 200 * 1024 * 1024

/** Sends a file. Its header is checked before anything else: what is wrong with it stands below. */
export function UploadForm({
  isNextStep,
  onUploaded,
}: {
  /** Whether nothing else waits on the page. */
  isNextStep: boolean
  onUploaded: (imported: ImportForAdmin) => void
}) {
  const [file, setFile] = useState<File>()
  const [share, setShare] = useState(0)
  const [problem, setProblem] = useState<string>()
  const abort = useRef<AbortController>(undefined)
  const [isCancelled, setIsCancelled] = useState(false)
  const upload = useApiMutation<ImportForAdmin, { file: File; signal: AbortSignal }>({
    mutationFn: ({ file: sent, signal }) =>
      uploadFile(`/api/imports?${new URLSearchParams({ name: sent.name }).toString()}`, sent, ImportForAdmin, {
        onProgress: setShare,
        signal,
      }),
    onSuccess: (imported) => {
      setFile(undefined)
      onUploaded(imported)
    },
    onError: recheckAccess,
  })

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (upload.isPending) return
    const wrong =
      file === undefined
        ? 'Choose a file first.'
        : file.size > maxBytes
          ? `The file is ${sizeInWords(file.size)}. At most 200 MB can be uploaded; the command line takes larger ones.`
          : undefined
    setProblem(wrong)
    if (file === undefined || wrong !== undefined) {
      upload.reset()
      return
    }
    abort.current = new AbortController()
    setIsCancelled(false)
    setShare(0)
    upload.mutate({ file, signal: abort.current.signal })
  }

  return (
    <form className="transfer-form" noValidate onSubmit={submit}>
      <FileField
        name="file"
        label="CSV or JSON lines, at most 200 MB"
        accept=".csv,.jsonl,.ndjson,text/csv"
        help="The first line names the columns: name, category, contentType and link at least. Upload first: nothing is imported before you say so."
        problem={problem}
        file={file}
        isBusy={upload.isPending}
        share={upload.isPending ? share : undefined}
        onChoose={(chosen) => {
          setFile(chosen)
          setProblem(undefined)
        }}
      />
      <div className="transfer-steps">
        <button
          type="submit"
          className={isNextStep ? 'button button-solid' : 'button'}
          aria-disabled={upload.isPending}
        >
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
      <p>The first line of the file does not fit the format. Nothing was saved.</p>
      <ul>
        {faultsInWords(faults.data).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
