import { Link, useLocation, useNavigate } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import type { FreePage } from '../item/content-type.ts'

/** Marks the history entry of a detail page that was opened from a list, so that its back link can return to just there. */
export const fromList = { fromList: true } as const

/** The way back to the list: the very list with its filters and place when the visitor came from one, else the section's. */
export function BackToList({ section, name }: { section: FreePage; name: string }) {
  const { state } = useLocation() as { state: { fromList?: boolean } | null }
  const navigate = useNavigate()
  return (
    <Link
      className="button button-quiet"
      to={`/${section}`}
      onClick={(event) => {
        if (state?.fromList !== true || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate(-1)
      }}
    >
      <Icon name="back" size={16} />
      {`Back to ${name}`}
    </Link>
  )
}
