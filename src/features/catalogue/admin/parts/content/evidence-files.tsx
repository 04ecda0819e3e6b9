import { useRef, useState } from 'react'
import { ApiError } from '../../../../../browser/api-client.ts'
import { downloadFile } from '../../../../../browser/api-files.ts'
import { Announced, Notice } from '../../../../../ui/notice.tsx'
import { SelectField } from '../../../../../ui/select-field.tsx'
import { FieldErrorText } from '../../../../../ui/text-field.tsx'
import { requestAsAdmin } from '../../../../accounts/browser/request-as-admin.ts'
import { evidenceMedia, maxEvidenceBytes, mediaTypeOf } from '../../../evidence/evidence-media.ts'
import { type EvidenceFile, ItemForAdmin } from '../../content/content-schema.ts'

const uploadMs = 10 * 60_000
const endings = Object.values(evidenceMedia).flat()

/** The files that prove the rights and consents of an item. A file is stored as soon as it is chosen, and stays. */
export function EvidenceFiles({
  item,
  clientKey,
  onStored,
}: {
  item: ItemForAdmin | undefined
  clientKey: string
  onStored: (item: ItemForAdmin) => void
}) {
  const [consent, setConsent] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [told, setTold] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  if (item === undefined) return <p className="work-aside">Save the draft first. Then files can be added to it.</p>

  const send = async (file: File): Promise<void> => {
    const mediaType = mediaTypeOf(file.name)
    setTold(undefined)
    if (mediaType === undefined) return setProblem(`Files of this kind are not kept. Allowed: ${endings.join(', ')}.`)
    if (file.size > maxEvidenceBytes) return setProblem('The file is larger than 20 MiB.')
    setProblem(undefined)
    setIsSending(true)
    try {
      const query = new URLSearchParams({ name: file.name, ...(consent === '' ? {} : { consent }) })
      const stored = await requestAsAdmin(`/api/items/${item.id}/evidence?${query.toString()}`, ItemForAdmin, {
        method: 'POST',
        clientKey,
        file: file.slice(0, file.size, mediaType),
        withinMs: uploadMs,
      })
      setTold(`${file.name} is stored.`)
      onStored(stored)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.message)
    } finally {
      setIsSending(false)
      if (input.current !== null) input.current.value = ''
    }
  }

  const save = async ({ id, fileName }: EvidenceFile): Promise<void> => {
    setProblem(undefined)
    try {
      await downloadFile(`/api/evidence/${id}`, fileName)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.message)
    }
  }

  return (
    <div className="content-files">
      {item.evidenceFiles.length === 0 ? (
        <p className="work-aside">No file is stored.</p>
      ) : (
        <ul aria-label="Files">
          {item.evidenceFiles.map((file) => (
            <li key={file.id}>
              <button type="button" className="text-link" onClick={() => void save(file)}>
                <bdi>{file.fileName}</bdi>
                <span className="sr-only"> (download)</span>
              </button>
              <span className="work-aside">{factsOf(file, item)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="content-fields">
        <div className="field">
          <label htmlFor="evidence-file">Add a file</label>
          <input
            ref={input}
            id="evidence-file"
            type="file"
            className="field-file"
            accept={endings.map((ending) => `.${ending}`).join(',')}
            aria-describedby="evidence-file-problem evidence-file-help"
            disabled={isSending}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              if (file !== undefined) void send(file)
            }}
          />
          <FieldErrorText id="evidence-file-problem" problem={problem} />
          <p id="evidence-file-help" className="field-help">
            {isSending ? 'Sending...' : 'At most 20 MiB. It is stored with its SHA-256, and stays with the entry.'}
          </p>
        </div>
        {item.consents.length === 0 ? null : (
          <SelectField
            name="evidence-of"
            label="It proves"
            value={consent}
            options={[
              { value: '', label: 'The rights' },
              ...item.consents.map(({ id, pseudonym }) => ({ value: id, label: `The consent of ${pseudonym}` })),
            ]}
            onChange={(event) => setConsent(event.currentTarget.value)}
          />
        )}
      </div>
      <Announced>{told === undefined ? null : <Notice tone="done">{told}</Notice>}</Announced>
    </div>
  )
}

function factsOf({ consentId, byteSize, sha256 }: EvidenceFile, { consents }: ItemForAdmin): string {
  const size =
    byteSize < 1024 * 1024 ? `${Math.ceil(byteSize / 1024)} KiB` : `${(byteSize / 1024 / 1024).toFixed(1)} MiB`
  const of = consents.find(({ id }) => id === consentId)?.pseudonym
  return `${of === undefined ? 'Rights' : `Consent of ${of}`}, ${size}, SHA-256 ${sha256.slice(0, 12)}…`
}
