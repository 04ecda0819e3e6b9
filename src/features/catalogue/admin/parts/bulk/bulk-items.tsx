import { useState } from 'react'
import { DataTable } from '../../../../../ui/data-table.tsx'
import { Notice } from '../../../../../ui/notice.tsx'
import { useAdminQuery } from '../../../../accounts/browser/admin-query.ts'
import { type BulkEditForAdmin, BulkItems, type BulkOutcome } from '../../bulk/bulk-schema.ts'
import { fieldNames, outcomeNames, outcomesShown, reasonInWords } from './bulk-words.ts'

/** The items of an edit, by what is or was done with them: what differs, and why some were refused or left. */
export function BulkItemsTable({ edit }: { edit: BulkEditForAdmin }) {
  const outcomes = outcomesShown(edit)
  const [chosen, setChosen] = useState<BulkOutcome>()
  const outcome = chosen !== undefined && outcomes.includes(chosen) ? chosen : outcomes[0]
  /** Where each page that was looked at begins. */
  const [starts, setStarts] = useState<readonly number[]>([0])
  const after = starts.at(-1) ?? 0
  const { data, error, isFetching } = useAdminQuery(
    `/api/bulk-edits/${edit.id}/items?outcome=${outcome ?? 'planned'}&after=${after}`,
    BulkItems,
    { keepsPrevious: true },
  )
  if (outcome === undefined) return null
  const hasReasons = data?.items.some(({ reasons }) => reasons.length > 0) === true
  return (
    <>
      {outcomes.length === 1 ? null : (
        <div className="segments" role="group" aria-label="Entries">
          {outcomes.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === outcome}
              onClick={() => {
                setChosen(each)
                setStarts([0])
              }}
            >
              {`${outcomeNames[each]} (${edit.counts[each].toLocaleString('en-US')})`}
            </button>
          ))}
        </div>
      )}
      {error === undefined ? null : <Notice tone="failed">{error.message}</Notice>}
      {data === undefined ? null : (
        <>
          <DataTable
            label={outcomeNames[outcome]}
            heads={['Entry', 'Field', 'Before', 'After', ...(hasReasons ? ['Reason'] : [])]}
            isBusy={isFetching}
          >
            {data.items.map(({ slug, name, difference, reasons }) => (
              <tr key={slug}>
                <td>
                  <bdi>{name}</bdi>
                </td>
                <td>
                  {difference.map(({ field }) => (
                    <div key={field}>{fieldNames[field] ?? field}</div>
                  ))}
                </td>
                <td>
                  {difference.map(({ field, before }) => (
                    <div key={field}>{before === '' ? 'nothing' : before}</div>
                  ))}
                </td>
                <td>
                  {difference.map(({ field, after: next }) => (
                    <div key={field}>{next === '' ? 'nothing' : next}</div>
                  ))}
                </td>
                {hasReasons ? <td className="transfer-wide">{reasons.map(reasonInWords).join(' ')}</td> : null}
              </tr>
            ))}
          </DataTable>
          {starts.length > 1 || data.next !== null ? (
            <div className="transfer-steps">
              <button
                type="button"
                className="button"
                disabled={starts.length === 1}
                onClick={() => setStarts(starts.slice(0, -1))}
              >
                Previous
              </button>
              <button
                type="button"
                className="button"
                disabled={data.next === null}
                onClick={() => {
                  if (data.next !== null) setStarts([...starts, data.next])
                }}
              >
                Next
              </button>
            </div>
          ) : null}
        </>
      )}
    </>
  )
}
