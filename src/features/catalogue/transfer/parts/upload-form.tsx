import { useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { uploadFile } from '../../../../browser/api-files.ts'
import { type ApiError, usualSentence } from '../../../../browser/api-client.ts'
import { FileField } from '../../../../ui/file-field.tsx'
import { Form } from '../../../../ui/form/form.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { sizeInWords } from '../../../../ui/size-in-words.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
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
  const [share, setShare] = useState(0)
  const [faults, setFaults] = useState<readonly string[]>([])
  const abort = useRef<AbortController>(undefined)
  const form = useApiForm<{ file: File | null }>({
    defaults: { file: null },
    check({ file }) {
      if (file === null) return { field: 'file', message: 'Choose a file first.' }
      if (file.size <= maxBytes) return undefined
      const message = `The file is ${sizeInWords(file.size)}. At most 200 MB can be uploaded; the command line takes larger ones.`
      return { field: 'file', message }
    },
    async send({ file }) {
      if (file === null) return
      abort.current = new AbortController()
      setFaults([])
      setShare(0)
      const imported = await uploadFile(
        `/api/imports?${new URLSearchParams({ name: file.name }).toString()}`,
        file,
        ImportForAdmin,
        { onProgress: setShare, signal: abort.current.signal },
      )
      form.reset({ file: null })
      onUploaded(imported)
    },
    otherwise: usualSentence,
    onRefused(error) {
      if (abort.current?.signal.aborted === true) return 'shown'
      const found = columnFaultsIn(error)
      setFaults(found)
      return found.length > 0 ? 'shown' : undefined
    },
  })
  const { isSending } = form
  return (
    <Form
      form={form}
      act={{ label: 'Upload', labelWhileSending: 'Uploading...', isQuiet: !isNextStep }}
      className="transfer-form"
      steps="work-steps"
      after={isSending ? <Button label="Cancel" onClick={() => abort.current?.abort('cancelled')} /> : null}
      notes={
        faults.length === 0 ? null : (
          <Notice tone="failed">
            <p>The first line of the file does not fit the format. Nothing was saved.</p>
            <ul>
              {faults.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Notice>
        )
      }
    >
      <FileField
        name="file"
        label="CSV or JSON lines, at most 200 MB"
        accept=".csv,.jsonl,.ndjson,text/csv"
        help="The first line names the columns: name, category, contentType and link at least. Nothing is imported before you confirm."
        problem={form.problemOf('file')}
        file={form.values.file ?? undefined}
        isBusy={isSending}
        share={isSending ? share : undefined}
        onChoose={(chosen) => {
          // They are about the file before it.
          form.clear()
          setFaults([])
          form.set('file', chosen ?? null)
        }}
      />
    </Form>
  )
}

function columnFaultsIn(error: ApiError): readonly string[] {
  const faults = ColumnFaults.safeParse((error.cause as { columns?: unknown } | undefined)?.columns)
  return faults.success ? faultsInWords(faults.data) : []
}
