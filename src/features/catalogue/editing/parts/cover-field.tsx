import { useId, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { ApiError } from '../../../../browser/api-client.ts'
import { FileField } from '../../../../ui/file-field.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { coverOf } from '../../covers/parts/cover-of.ts'
import { GuardedCover } from '../../covers/parts/guarded-cover.tsx'
import { ItemForAdmin } from '../content-schema.ts'

const uploadMs = 5 * 60_000
/** The same as the server's. */
const maxBytes = 10 * 1024 * 1024

/** The cover of an item, and what can be done with it. A picture is stored as soon as it is chosen or dropped. */
export function CoverField({
  item,
  isSaving,
  onBusy,
  onChanged,
}: {
  item: ItemForAdmin | undefined
  /** Nothing can be chosen meanwhile. */
  isSaving: boolean
  onBusy: (isBusy: boolean) => void
  onChanged: (item: ItemForAdmin) => void
}) {
  const [sending, setSending] = useState<File>()
  const [isRemoving, setIsRemoving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [announced, setAnnounced] = useState<string>()
  const heading = useId()
  if (item === undefined) return <p className="work-aside">Save the draft first. Then a picture can be added to it.</p>

  const change = async (call: { method: 'PUT'; file: File } | { method: 'DELETE' }, done: string): Promise<void> => {
    setProblem(undefined)
    setAnnounced(undefined)
    onBusy(true)
    try {
      const path = `/api/items/${item.id}/cover?version=${item.version}`
      const changed = await requestAsAdmin(path, ItemForAdmin, { ...call, withinMs: uploadMs })
      setAnnounced(done)
      onChanged(changed)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(
        error.status === 409 ? 'Somebody else has changed this entry. Close it and open it again.' : error.message,
      )
    } finally {
      onBusy(false)
    }
  }
  const send = async (file: File): Promise<void> => {
    setAnnounced(undefined)
    if (file.size > maxBytes) return setProblem('The picture is larger than 10 MB.')
    setSending(file)
    await change({ method: 'PUT', file }, 'The cover is stored.').finally(() => setSending(undefined))
  }
  const remove = async (): Promise<void> => {
    setIsRemoving(true)
    await change({ method: 'DELETE' }, 'The cover was removed.').finally(() => setIsRemoving(false))
  }
  const isBusy = isSaving || sending !== undefined || isRemoving

  return (
    <div className="content-cover">
      <figure aria-labelledby={heading}>
        <GuardedCover key={item.cover ?? item.version} {...coverOf(item)} />
        <figcaption id={heading} className="work-aside">
          {item.cover === undefined ? 'Drawn, while there is no picture' : 'Uploaded'}
        </figcaption>
      </figure>
      <div className="content-cover-steps">
        <FileField
          name="cover"
          label={item.cover === undefined ? 'Picture' : 'Another picture'}
          accept=".jpg,.jpeg,.png,.webp"
          help={
            sending === undefined
              ? 'JPEG, PNG or WebP, at most 10 MB and 40 megapixels. It is stored at once; a published entry shows it at once.'
              : 'Sending...'
          }
          problem={problem}
          file={sending}
          isBusy={isBusy}
          onChoose={(file) => {
            if (file !== undefined) void send(file)
          }}
        />
        {item.cover === undefined ? null : (
          <Button label="Remove the cover" isBusy={isBusy} onClick={() => void remove()} />
        )}
        <Announced>{announced === undefined ? null : <Notice tone="done">{announced}</Notice>}</Announced>
      </div>
    </div>
  )
}
