import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { freeShelves } from '../../../catalogue/shelves/free-shelves.ts'
import { useIsOnline } from '../../../../ui/use-is-online.ts'
import { ShelfCount } from './shelf-count.tsx'

/** Shelves, each a click away, and how many entries each has. */
export function ShelfRow({
  shelves,
  token,
}: {
  shelves: readonly { name: string; path: string; label: string }[]
  /** A VIP's. */
  token?: string
}) {
  const { pathname } = useLocation()
  const isOnline = useIsOnline()
  const nav = useRef<HTMLElement>(null)
  // With large text it may lie outside of the row.
  useEffect(() => {
    const row = nav.current?.parentElement
    const current = nav.current?.querySelector('[aria-current]')
    if (row == null || current == null) return
    row.scrollLeft += Math.max(0, current.getBoundingClientRect().right - row.getBoundingClientRect().right)
  })
  return (
    <nav ref={nav} aria-label="Shelves">
      <ul>
        {shelves.map(({ name, path, label }) => (
          <li key={name}>
            <Link
              to={path}
              prefetch={isOnline ? 'intent' : 'none'}
              aria-current={pathname === path ? 'page' : pathname.startsWith(`${path}/`) ? 'true' : undefined}
            >
              {label}
            </Link>
            <ShelfCount shelf={name} token={token} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

const shelves = Object.entries(freeShelves).map(([name, { path, name: label }]) => ({ name, path, label }))

export default function ShelfNav() {
  return <ShelfRow shelves={shelves} />
}
