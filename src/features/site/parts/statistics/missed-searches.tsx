import { useState } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import type { StatisticsReport } from '../../statistics/statistics-schema.ts'
import { FiguresTable } from './figures-table.tsx'
import { nothingSince } from './report-chart.tsx'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useLater } from '../../../../ui/use-later.ts'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { decodePayload } from '../../../catalogue/item/encoding.ts'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'

export function MissedSearches({ report }: { report: StatisticsReport }) {
  const { free, vip } = report.searches
  const [naming, setNaming] = useState<string>()
  const part = { empty: nothingSince(report), onName: setNaming }
  return (
    <WorkSection title="Searches without a result">
      <p className="work-aside">
        Texts that found nothing, even while still being typed. Searches with a filter are not counted. Each visitor
        counts once an hour per text. Kept for 400 days, without names.
      </p>
      <div className="stat-pair">
        <Missed title="Free" name="Free searches without a result" missed={free} {...part} />
        <Missed title="VIP" name="VIP searches without a result" missed={vip} {...part} />
      </div>
      {naming === undefined ? null : <AliasDialog text={naming} onClose={() => setNaming(undefined)} />}
    </WorkSection>
  )
}

function Missed({
  title,
  name,
  missed: { texts, others },
  empty,
  onName,
}: {
  title: string
  name: string
  missed: StatisticsReport['searches']['free']
  empty: string
  onName: (text: string) => void
}) {
  if (texts.length === 0 && others === 0)
    return (
      <div className="stat-table">
        <h3>{title}</h3>
        <p className="stat-empty">{empty}</p>
      </div>
    )
  const rows = texts.map(({ text, searches }) => [text, searches] as const)
  return (
    <FiguresTable
      title={title}
      table={{ name, heads: ['Text', 'Searches'], rows: others === 0 ? rows : [...rows, ['All others', others]] }}
      acts={texts.map(({ text }) => (
        <MissedActs key={text} text={text} onName={onName} />
      ))}
    />
  )
}

function MissedActs({ text, onName }: { text: string; onName: (text: string) => void }) {
  return (
    <span className="stat-acts">
      <TextLink
        aria-label={`Add an entry: ${text}`}
        to={`/admin/settings?${new URLSearchParams({ edit: 'new', name: text }).toString()}`}
      >
        Add
      </TextLink>
      <Button
        look="link"
        label="Also known as"
        aria-haspopup="dialog"
        aria-label={`Also known as: ${text}`}
        onClick={() => onName(text)}
      />
    </span>
  )
}

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
function AliasDialog({ text, onClose }: { text: string; onClose: () => void }) {
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
