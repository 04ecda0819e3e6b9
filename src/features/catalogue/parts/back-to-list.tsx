import { Link, useLocation, useNavigate } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import type { Shelf } from '../shelves/shelf.ts'
import { lastList } from './list/last-list.ts'

/** Marks the history entry of a detail page that was opened from a list, so that its back link can return to just there. */
export const fromList = { fromList: true } as const

/**
 * The way back to the list: the very list with its filters and place when the visitor came from one, else the whole shelf. A
 * search, and a list of another shelf, are not called after this one.
 */
export function BackToList({ shelf: { path, name } }: { shelf: Pick<Shelf, 'path' | 'name'> }) {
  const { state } = useLocation() as { state: { fromList?: boolean } | null }
  const navigate = useNavigate()
  const isHydrated = useIsHydrated()
  const list = isHydrated && state?.fromList === true ? lastList()?.query : undefined
  const isElsewhere = list !== undefined && (list.shelf.path !== path || list.filters.search !== '')
  return (
    <Link
      className="button button-quiet"
      to={path}
      onClick={(event) => {
        if (state?.fromList !== true || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate(-1)
      }}
    >
      <Icon name="back" size={16} />
      {isElsewhere ? 'Back to the results' : `Back to ${name}`}
    </Link>
  )
}
