import { useState } from 'react'
import { DataTable } from '../../../../ui/data-table.tsx'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { useAdminPages } from '../../../office/browser/admin-query.ts'
import { type BulkEditForAdmin, BulkItems, type BulkOutcome } from '../bulk-schema.ts'
import { outcomeNames, outcomesShown, reasonInWords, valueInWords } from './bulk-words.ts'
import { useFieldWords } from './use-field-words.ts'

/** The items of an edit, by what is or was done with them: what differs, and why some were refused or left. */
export function BulkItemsTable({ edit }: { edit: BulkEditForAdmin }) {
  const words = useFieldWords()
  const outcomes = outcomesShown(edit)
  const [chosen, setChosen] = useState<BulkOutcome>()
  const outcome = chosen !== undefined && outcomes.includes(chosen) ? chosen : outcomes[0]
  const { pages, error, isFetching, hasMore, more } = useAdminPages(
    `/api/bulk-edits/${edit.id}/items?outcome=${outcome ?? 'planned'}`,
    BulkItems,
    { keepsPrevious: true },
  )
  const items = pages.flatMap((page) => page.items)
  if (outcome === undefined) return null
  const hasReasons = items.some(({ reasons }) => reasons.length > 0)
  return (
    <>
      {outcomes.length === 1 ? null : (
        <div className="segments" role="group" aria-label="Entries">
          {outcomes.map((each) => (
            <button key={each} type="button" aria-pressed={each === outcome} onClick={() => setChosen(each)}>
              {`${outcomeNames[each]} (${edit.counts[each].toLocaleString('en-US')})`}
            </button>
          ))}
        </div>
      )}
      {pages.length === 0 ? null : (
        <DataTable
          label={outcomeNames[outcome]}
          heads={['Entry', 'Field', 'Before', 'After', ...(hasReasons ? ['Reason'] : [])]}
          isBusy={isFetching}
        >
          {items.map(({ slug, name, difference, reasons }) => (
            <tr key={slug}>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td>
                {difference.map(({ field }) => (
                  <div key={field}>{words[field] ?? field}</div>
                ))}
              </td>
              <td>
                {difference.map(({ field, before }) => (
                  <div key={field}>{valueInWords(field, before)}</div>
                ))}
              </td>
              <td>
                {difference.map(({ field, after: next }) => (
                  <div key={field}>{valueInWords(field, next)}</div>
                ))}
              </td>
              {hasReasons ? (
                <td className="transfer-wide">{reasons.map((reason) => reasonInWords(reason, words)).join(' ')}</td>
              ) : null}
            </tr>
          ))}
        </DataTable>
      )}
      <LoadMore key={outcome} hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
    </>
  )
}
