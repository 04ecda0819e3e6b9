import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useIsOnline } from '../../../../ui/use-is-online.ts'

export interface HeaderLink {
  label: string
  to: string
  isOutside?: boolean
  count?: ReactNode
}

/** `replace` where the entry of the history that the menu made is to become the page it leads to. */
export function HeaderAnchor({ link, replace = false }: { link: HeaderLink; replace?: boolean }) {
  const { label, to, isOutside } = link
  const isOnline = useIsOnline()
  if (isOutside !== true) {
    return (
      <NavLink to={to} end={to === '/'} replace={replace} prefetch={isOnline ? 'intent' : 'none'}>
        {label}
      </NavLink>
    )
  }
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {label}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
