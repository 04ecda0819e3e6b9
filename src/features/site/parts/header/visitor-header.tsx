import { useLocation } from 'react-router'
import { labelOf, visitorLabelOf } from '../../section.ts'
import { HeaderFrame, type HeaderParts } from './header-frame.tsx'
import type { HeaderLink } from './header-link.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { ThemeSwitch } from '../theme-switch.tsx'
import { useFacts } from '../use-facts.ts'
import { VipAccess } from '../vip-access.tsx'

/**
 * The header of a visitor who has not signed in. `isMember` where the script of a member's own did not come: it leads
 * them to their account in place of signing in.
 */
export function VisitorHeader({ isMember = false, shelves }: HeaderParts & { isMember?: boolean }) {
  const facts = useFacts()
  const { pathname } = useLocation()
  const links: HeaderLink[] = [
    { label: 'Home', to: '/' },
    { label: 'Banned', to: '/banned' },
    { label: 'Unknown', to: '/unknown' },
    { label: 'Plans', to: '/plans' },
    ...(facts === undefined ? [] : [{ label: 'Discord', to: facts.communityUrl, isOutside: true }]),
    ...(facts?.look?.links ?? []),
    ...(isMember
      ? [{ label: 'Your Account', to: '/account' }]
      : [
          { label: 'Login', to: '/login' },
          { label: 'Register', to: '/register' },
        ]),
  ]
  const label = isMember ? labelOf(pathname) : visitorLabelOf(pathname)
  return (
    <HeaderFrame
      className={isMember ? '' : `visitor-header${label === labelOf(pathname) ? '' : ' is-visitors-word'}`}
      label={label}
      links={links}
      shelves={shelves}
    >
      <ThemeSwitch />
      <VipAccess to="/plans" />
      <MobileMenu links={links}>
        <VipAccess to="/plans" replace />
      </MobileMenu>
    </HeaderFrame>
  )
}
