import { useState } from 'react'
import { ApiError } from '../../../../browser/api-client.ts'
import { downloadFile } from '../../../../browser/api-files.ts'
import { FileField } from '../../../../ui/file-field.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { sizeInWords } from '../../../../ui/size-in-words.ts'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { FileButton } from '../../../office/parts/file-button.tsx'
import { evidenceMedia, maxEvidenceBytes, mediaTypeOf } from '../../evidence/evidence-media.ts'
import { type EvidenceFile, ItemForAdmin } from '../content-schema.ts'

const uploadMs = 10 * 60_000
const endings = Object.values(evidenceMedia).flat()

/** The files that prove the rights and consents of an item. A file is stored as soon as it is chosen, and stays. */
export function EvidenceFiles({
  item,
  onStored,
}: {
  item: ItemForAdmin | undefined
  onStored: (item: ItemForAdmin) => void
}) {
  const [consent, setConsent] = useState('')
  const [sending, setSending] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [announced, setAnnounced] = useState<string>()
  if (item === undefined) return <p className="work-aside">Save the draft first. Then files can be added to it.</p>

  const send = async (file: File): Promise<void> => {
    const mediaType = mediaTypeOf(file.name)
    setAnnounced(undefined)
    if (mediaType === undefined)
      return setProblem(`Files of this kind cannot be stored. Allowed: ${endings.join(', ')}.`)
    if (file.size > maxEvidenceBytes) return setProblem('The file is larger than 20 MiB.')
    setProblem(undefined)
    setSending(file)
    try {
      const query = new URLSearchParams({ name: file.name, ...(consent === '' ? {} : { consent }) })
      const stored = await requestAsAdmin(`/api/items/${item.id}/evidence?${query.toString()}`, ItemForAdmin, {
        method: 'POST',
        file: file.slice(0, file.size, mediaType),
        withinMs: uploadMs,
      })
      setAnnounced(`${file.name} is stored.`)
      onStored(stored)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.message)
    } finally {
      setSending(undefined)
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
              <FileButton look="link" save={() => downloadFile(`/api/evidence/${file.id}`, file.fileName)}>
                <bdi>{file.fileName}</bdi>
                <span className="sr-only"> (download)</span>
              </FileButton>
              <span className="work-aside">{factsOf(file, item)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="content-fields">
        <FileField
          name="evidence-file"
          label="Add a file"
          accept={endings.map((ending) => `.${ending}`).join(',')}
          help={
            sending === undefined
              ? 'At most 20 MiB. It is stored with its SHA-256, and stays with the entry.'
              : 'Sending...'
          }
          problem={problem}
          file={sending}
          isBusy={sending !== undefined}
          onChoose={(file) => {
            if (file !== undefined) void send(file)
          }}
        />
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
      <Announced>{announced === undefined ? null : <Notice tone="done">{announced}</Notice>}</Announced>
    </div>
  )
}

function factsOf({ consentId, byteSize, sha256 }: EvidenceFile, { consents }: ItemForAdmin): string {
  const of = consents.find(({ id }) => id === consentId)?.pseudonym
  return `${of === undefined ? 'Rights' : `Consent of ${of}`}, ${sizeInWords(byteSize)}, SHA-256 ${sha256.slice(0, 12)}…`
}
