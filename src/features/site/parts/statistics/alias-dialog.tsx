import { useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useLater } from '../../../../ui/use-later.ts'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { decodePayload } from '../../../catalogue/item/encoding.ts'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'

const Entry = z.object({ id: z.string(), name: z.string(), creators: z.optional(z.array(z.string())) })
const Found = z.pipe(
  z.pipe(
    z.object({ data: z.string() }),
    z.transform(({ data }) => decodePayload(data)),
  ),
  z.object({ data: z.array(Entry), nearest: z.optional(z.array(Entry)) }),
)

const shown = 8
const pauseMs = 300

/**
 * Asks which entry a text is another title of, and leads to its form, where the text is filled in.
 * @param text what was looked for; the entries nearest to it are offered first
 */
export function AliasDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const [requested, setRequested] = useState(text)
  const later = useLater()
  const query = new URLSearchParams({ search: requested, limit: String(shown) }).toString()
  const found = useAdminQuery(`/universal-search/search?${query}`, Found, { keepsPrevious: true })
  const { data } = found
  const entries = (data === undefined || data.data.length > 0 ? data?.data : data.nearest)?.slice(0, shown) ?? []
  return (
    <Dialog title="Also known as" onClose={onClose}>
      <p className="stat-question">
        {'Choose the entry that “'}
        <bdi>{text}</bdi>
        {'” is another title of. Its form opens with the words filled in, for you to save.'}
      </p>
      <TextField
        name="entry"
        label="Entry"
        type="search"
        placeholder="Search by title or creator"
        maxLength={200}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => {
          const typed = value.trim()
          later(pauseMs, () => setRequested(typed === '' ? text : typed))
        }}
      />
      {data === undefined ? (
        <WorkAwaited failure="The entries could not be loaded" query={found} />
      ) : (
        <>
          <p className="work-aside" role="status">
            {entries.length === 0
              ? 'Nothing comes near this. Type another title.'
              : requested === text
                ? 'The nearest titles:'
                : null}
          </p>
          <ul className="stat-entries">
            {entries.map(({ id, name, creators = [] }) => (
              <li key={id}>
                <Link to={`/admin/settings?${new URLSearchParams({ edit: id, alsoKnownAs: text }).toString()}`}>
                  <bdi>{name}</bdi>
                  {creators.length === 0 ? null : <span className="work-aside">{creators.join(', ')}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="dialog-actions">
        <Button label="Cancel" onClick={onClose} />
      </div>
    </Dialog>
  )
}
