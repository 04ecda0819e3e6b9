import { Link, useLocation } from 'react-router'
import { RibbonMark } from '../../../ui/ribbon-mark.tsx'
import { labelOf } from '../section.ts'
import { HeaderAnchor, type HeaderLink } from './header-link.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { useFacts } from './use-facts.ts'
import './header.css'

/** The header of a visitor who has not signed in. */
export function Header() {
  const facts = useFacts()
  const { pathname } = useLocation()
  const label = labelOf(pathname)
  const links: HeaderLink[] = [
    { label: 'Home', to: '/' },
    { label: 'Banned', to: '/banned' },
    { label: 'Unknown', to: '/unknown' },
    { label: 'Plans', to: '/plans' },
    ...(facts === undefined ? [] : [{ label: 'Discord', to: facts.communityUrl, isOutside: true }]),
    { label: 'Login', to: '/login' },
    { label: 'Register', to: '/register' },
  ]
  return (
    <header className="site-header">
      <div className="column">
        <Link className="brand" to="/">
          <RibbonMark />
          <span className="brand-name" dir="auto">
            {facts?.brandName ?? 'Home'}
          </span>
          {label === undefined ? null : <span className="brand-section small-caps">{label}</span>}
        </Link>
        <nav className="site-nav" aria-label="Main">
          <ul>
            {links.map((link) => (
              <li key={link.label}>
                <HeaderAnchor link={link} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="site-tools">
          <ThemeSwitch />
          <Link className="button button-tint accent-vip vip-access" to="/plans">
            VIP ACCESS
          </Link>
          <MobileMenu links={links} />
        </div>
      </div>
    </header>
  )
}
