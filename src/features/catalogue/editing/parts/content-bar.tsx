import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import type { RangeSelection } from '../../../../ui/list-page/range-selection.ts'
import { type ContentFilters, editAddress, isFiltered } from './content-filters.ts'
import type { LiveContentList } from './use-content-list.ts'
import { maxChosen } from '../max-chosen.ts'

const number = (count: number): string => count.toLocaleString('en-US')

/** The ids that a bulk edit was begun with, or that this list was left with; they travel in the history's state. */
export function chosenIn(state: unknown): readonly string[] {
  const chosen = typeof state === 'object' && state !== null && 'chosen' in state ? state.chosen : []
  return Array.isArray(chosen) ? chosen.filter((id) => typeof id === 'string').slice(0, maxChosen) : []
}

/** Where the list stands and what is selected in it. Its place is kept while nothing is. */
export function ContentBar({
  selection: { chosen, clear },
  list,
  filters,
  page,
}: {
  selection: RangeSelection
  list: Pick<LiveContentList, 'isLoaded' | 'rows' | 'total' | 'editable' | 'totalPages'>
  filters: ContentFilters
  page: number
}) {
  const navigate = useNavigate()
  const count = chosen.size
  const pages = Math.max(list.totalPages, 1)
  const shown = count === 0 ? 0 : list.rows.filter(({ id }) => chosen.has(id)).length
  const isLeaving = useRef(false)
  const editChosen = async (): Promise<void> => {
    if (isLeaving.current) return
    isLeaving.current = true
    const state = { chosen: [...chosen] }
    // Back brings the selection again.
    await navigate(`?${new URLSearchParams(location.search).toString()}`, {
      state,
      replace: true,
      preventScrollReset: true,
    })
    await navigate('/admin/bulk-edit', { state })
  }
  return (
    <div className="content-bar">
      <p className="content-page" aria-live="off">
        {list.isLoaded ? (
          <>
            {list.total === 0 ? null : `Page ${number(Math.min(page, pages))} of ${number(pages)}`}
            <span className="work-aside">
              {counted(list.total, 'entry', 'entries')}
              {list.editable < list.total ? `, ${number(list.total - list.editable)} removed` : ''}
            </span>
          </>
        ) : null}
      </p>
      <div className="content-chosen">
        <p className="work-aside" role="status">
          {count === 0 ? '' : chosenInWords(count, shown)}
        </p>
        {count === 0 ? null : (
          <>
            <Button look="quiet" label="Clear" onClick={clear} />
            <Button look="solid" label={`Edit ${number(count)} selected`} onClick={() => void editChosen()} />
          </>
        )}
        {list.isLoaded && list.editable > 0 ? (
          <Link className="button content-all" to={editAddress(filters)}>
            {list.editable === 1
              ? 'Edit the only one'
              : `Edit all ${number(list.editable)}${isFiltered(filters) ? ' that match' : ''}`}
          </Link>
        ) : null}
      </div>
    </div>
  )
}

/** '1,000 selected, the maximum' */
function chosenInWords(count: number, shown: number): string {
  const most = count === maxChosen ? ', the maximum' : ''
  return `${number(count)} selected${most}${shown < count ? `, ${number(count - shown)} of them not in this list` : ''}`
}
