import { type MouseEvent, useRef, useState } from 'react'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { rangeOf } from '../../../../ui/list-page/range-selection.ts'
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
  onSwitch: (items: readonly string[], isOn: boolean) => Promise<boolean>
}) {
  const words = useFieldWords()
  const outcomes = outcomesShown(edit)
  const [chosen, setChosen] = useState<BulkOutcome>()
  const outcome = chosen !== undefined && outcomes.includes(chosen) ? chosen : outcomes[0]
  const { pages, error, isFetching, hasMore, more, setPages } = useAdminPages(
    `/api/bulk-edits/${edit.id}/items?outcome=${outcome ?? 'planned'}`,
    BulkItems,
    { keepsPrevious: true },
  )
  const items = pages.flatMap((page) => page.items)
  const turn = useTurns(items, setPages, onSwitch)
  if (outcome === undefined) return null
  const canSwitch = edit.state === 'ready' && outcome === 'planned'
  const nameOf = (each: BulkOutcome): string =>
    each === 'planned' && edit.state !== 'ready' ? 'Not reached' : outcomeNames[each]
  const hasReasons = items.some(({ reasons }) => reasons.length > 0)
  return (
    <>
      {outcomes.length === 1 ? null : (
        <div className="segments" role="group" aria-label="Entries">
          {outcomes.map((each) => (
            <button key={each} type="button" aria-pressed={each === outcome} onClick={() => setChosen(each)}>
              {`${nameOf(each)} (${countOf(edit.counts, edit.state, each).toLocaleString('en-US')})`}
            </button>
          ))}
        </div>
      )}
      {pages.length === 0 ? null : (
        <DataTable
          label={nameOf(outcome)}
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

type Item = BulkItems['items'][number]

/** Turns the box of an entry; with Shift all from the one that was turned before. It is shown at once. */
function useTurns(
  items: readonly Item[],
  setPages: (change: (page: BulkItems) => BulkItems) => void,
  onSwitch: (items: readonly string[], isOn: boolean) => Promise<boolean>,
): (id: string, event: MouseEvent) => void {
  const last = useRef<string>(undefined)
  const show = (ids: readonly string[], isOn: boolean): void =>
    setPages((page) => ({
      ...page,
      items: page.items.map((item) =>
        ids.includes(item.id) ? { ...item, outcome: isOn ? 'planned' : 'excluded' } : item,
      ),
    }))
  const send = async (ids: readonly string[], isOn: boolean): Promise<void> => {
    if (!(await onSwitch(ids, isOn))) show(ids, !isOn)
  }
  return (id, event) => {
    const all = items.map((item) => item.id)
    const range = new Set(event.shiftKey ? rangeOf(all, last.current, id) : []).add(id)
    const isOn = items.some((item) => item.id === id && item.outcome === 'excluded')
    // Those that differ: they alone go back where the server does not take it.
    const ids = items.flatMap((item) => (range.has(item.id) && (item.outcome === 'excluded') === isOn ? [item.id] : []))
    last.current = id
    show(ids, isOn)
    for (let first = 0; first < ids.length; first += maxChosen) void send(ids.slice(first, first + maxChosen), isOn)
  }
}
