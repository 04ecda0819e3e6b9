import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import { RibbonMark } from '../../../../ui/ribbon-mark.tsx'
import { HeaderAnchor, type HeaderLink } from './header-link.tsx'
import { isOnShelf } from '../../section.ts'
import { useFacts } from '../use-facts.ts'

/** In no page's first scripts: its links work without, and its counts come later anyway. */
const ShelfNav = lazy(() => import('./shelf-nav.tsx').catch(() => ({ default: NoShelves })))

/** The parts of every header: brand with the section's label, links, and tools at the end. */
export function HeaderFrame({
  className,
  label,
  links,
  children,
}: {
  className: string
  label: string | undefined
  links: HeaderLink[]
  /** The tools. */
  children: ReactNode
}) {
  const facts = useFacts()
  const { pathname } = useLocation()
  return (
    <header className={`site-header ${className}`}>
      <div className="column">
        <Link className="brand" to="/">
          <RibbonMark />
          <span className="brand-words">
            <span className="brand-name" dir="auto">
              {facts?.brandName ?? 'Home'}
            </span>
            {label === undefined ? null : <span className="brand-section small-caps">{label}</span>}
          </span>
        </Link>
        <nav className="site-nav" aria-label="Main">
          <ul>
            {links.map((link) => (
              <li key={link.label}>
                <HeaderAnchor link={link} />
                {link.count}
              </li>
            ))}
          </ul>
        </nav>
        <div className="site-tools">{children}</div>
      </div>
      {isOnShelf(pathname) ? (
        <div className="column shelves">
          <Suspense>
            <ShelfNav />
          </Suspense>
        </div>
      ) : null}
    </header>
  )
}

function NoShelves() {
  return <></>
}
