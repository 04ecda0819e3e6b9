import { type MouseEvent, useRef, useState } from 'react'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { useAdminPages } from '../../../office/browser/admin-query.ts'
import { maxChosen } from '../../editing/max-chosen.ts'
import { type BulkEditForAdmin, BulkItems, type BulkOutcome } from '../bulk-schema.ts'
import { countOf, outcomeNames, outcomesShown, reasonInWords, valueInWords } from './bulk-words.ts'
import { useFieldWords } from './use-field-words.ts'

/**
 * The items of an edit, by what is or was done with them: what differs, and why some were refused or left. Those of a
 * preview are switched on and off.
 */
export function BulkItemsTable({
  edit,
  onSwitch,
}: {
  edit: BulkEditForAdmin
  onSwitch: (items: readonly string[], isOn: boolean) => void
}) {
  const words = useFieldWords()
  const outcomes = outcomesShown(edit)
  const [chosen, setChosen] = useState<BulkOutcome>()
  const lastClicked = useRef<string>(undefined)
  const outcome = chosen !== undefined && outcomes.includes(chosen) ? chosen : outcomes[0]
  const { pages, error, isFetching, hasMore, more, setPages } = useAdminPages(
    `/api/bulk-edits/${edit.id}/items?outcome=${outcome ?? 'planned'}`,
    BulkItems,
    { keepsPrevious: true },
  )
  const items = pages.flatMap((page) => page.items)
  if (outcome === undefined) return null
  const canSwitch = edit.state === 'ready' && outcome === 'planned'
  const turn = (id: string, event: MouseEvent): void => {
    const isOn = items.find((item) => item.id === id)?.outcome === 'excluded'
    const [from, to] = [
      items.findIndex((item) => item.id === lastClicked.current),
      items.findIndex((item) => item.id === id),
    ]
    const turned =
      event.shiftKey && from >= 0
        ? items.slice(Math.min(from, to), Math.max(from, to) + 1).map((item) => item.id)
        : [id]
    lastClicked.current = id
    setPages((page) => ({
      ...page,
      items: page.items.map((item) =>
        turned.includes(item.id) ? { ...item, outcome: isOn ? 'planned' : 'excluded' } : item,
      ),
    }))
    for (let at = 0; at < turned.length; at += maxChosen) onSwitch(turned.slice(at, at + maxChosen), isOn)
  }
  const hasReasons = items.some(({ reasons }) => reasons.length > 0)
  return (
    <>
      {outcomes.length === 1 ? null : (
        <div className="segments" role="group" aria-label="Entries">
          {outcomes.map((each) => (
            <button key={each} type="button" aria-pressed={each === outcome} onClick={() => setChosen(each)}>
              {`${outcomeNames[each]} (${countOf(edit.counts, edit.state, each).toLocaleString('en-US')})`}
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
          {items.map(({ id, name, outcome: own, difference, reasons }) => (
            <tr key={id} className={own === 'excluded' && canSwitch ? 'is-off' : undefined}>
              <td>
                {canSwitch ? (
                  <Checkbox
                    name="included"
                    label={<bdi>{name}</bdi>}
                    checked={own !== 'excluded'}
                    onClick={(event) => turn(id, event)}
                    readOnly
                  />
                ) : (
                  <bdi>{name}</bdi>
                )}
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
