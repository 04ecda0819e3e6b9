import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { RibbonMark } from '../../../../ui/ribbon-mark.tsx'
import { HeaderAnchor, type HeaderLink } from './header-link.tsx'
import { isOnShelf } from '../../section.ts'
import { useFacts } from '../use-facts.ts'

/** A part that the page has and not the caller. */
export interface HeaderParts {
  /** The shelves, where the page lies on one of them; below all of it. */
  shelves?: ReactNode
}

/** The parts of every header: brand with the section's label, links, and tools at the end. */
export function HeaderFrame({
  className,
  label,
  links,
  shelves,
  children,
}: HeaderParts & {
  className: string
  label: string | undefined
  links: HeaderLink[]
  children: ReactNode
}) {
  const facts = useFacts()
  const mark = facts?.look?.mark
  return (
    <header className={`site-header ${className}`}>
      <div className="column">
        <Link className="brand" to="/">
          {mark === undefined ? <RibbonMark /> : <img className="brand-mark" src={mark.src} alt="" />}
          <span className="brand-words">
            <span className={mark?.hidesName === true ? 'sr-only' : 'brand-name'} dir="auto">
              {facts?.brandName ?? 'Home'}
            </span>
            {label === undefined ? null : <span className="brand-section small-caps">{label}</span>}
          </span>
        </Link>
        <nav className="site-nav" aria-label="Main">
          <ul>
            {links.map((link) =>
              // A link stands once in a header.
              shelves && isOnShelf(link.to) ? null : (
                <li key={link.label}>
                  <HeaderAnchor link={link} />
                  {link.count}
                </li>
              ),
            )}
          </ul>
        </nav>
        <div className="site-tools">{children}</div>
      </div>
      {shelves}
    </header>
  )
}
