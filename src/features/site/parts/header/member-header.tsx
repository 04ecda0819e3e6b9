import { ProofHost } from '../../../accounts/parts/proof/proof-host.tsx'
import { useEffect } from 'react'
import { PrefetchPageLinks, useLocation } from 'react-router'
import { useIsOnline } from '../../../../ui/use-is-online.ts'
import { ApiError } from '../../../../browser/api-client.ts'
import type { AccountForMember } from '../../../office/viewer/viewer-schema.ts'
import { useKnownProfile } from '../../../office/viewer/known-profile.ts'
import { loadProfile } from '../../../office/viewer/load-profile.ts'
import { rolesOpen } from '../../../office/viewer/can-access.ts'
import {
  type Access,
  current,
  type Session,
  useSession,
  storeUntoldSignOut,
} from '../../../../browser/session-store.ts'
import { adminLinksIn, lockedAdminLink } from '../../admin-links.ts'
import { isVipPath, labelOf, vipLabelOf } from '../../section.ts'
import { HeaderFrame, type HeaderParts } from './header-frame.tsx'
import type { HeaderLink } from './header-link.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { ShelfCount } from './shelf-count.tsx'
import { ShelfRow } from './shelf-nav.tsx'
import { ThemeSwitch } from '../theme-switch.tsx'
import { useFacts } from '../use-facts.ts'
import { useSignOut } from '../use-sign-out.ts'
import { UserMenu, VipUserMenu } from './user-menu.tsx'
import { VipAccess } from '../vip-access.tsx'
import './member-header.css'
import { Button } from '../../../../ui/button.tsx'

/** The header of members; in the VIP area, for those who may enter it, the VIP header. */
export default function MemberHeader({ shelves }: HeaderParts) {
  const { session, access } = useSession()
  const { pathname } = useLocation()
  const isOnline = useIsOnline()
  const token = session?.token
  const profile = useKnownProfile()
  // A member who has become VIP since then has a plan to show.
  const isBehind = profile !== undefined && access.state === 'known' && access.isVip !== profile.isVip
  const missing = profile === undefined || isBehind ? token : undefined

  useEffect(() => {
    if (missing === undefined) return
    const request = async (): Promise<void> => {
      try {
        await loadProfile(missing)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (current().session?.token !== missing) return
        // Logged only: the user stays non-VIP and non-admin (docs/spec/access.md#access-check).
        // oxlint-disable-next-line no-console
        console.info('The profile could not be loaded.')
      }
    }
    void request()
  }, [missing])

  if (session === undefined) return null
  const isInVipPart = isVipPath(pathname) && rolesOpen('vip', access)
  return (
    <>
      {/* Signing out leads there, also when the connection has gone. */}
      {isOnline ? <PrefetchPageLinks page="/" /> : null}
      {isInVipPart ? (
        <VipHeader session={session} access={access} planType={profile?.planType} />
      ) : (
        <UsualHeader session={session} access={access} shelves={shelves} />
      )}
      {/* No visitor's call needs a proof. */}
      <ProofHost />
    </>
  )
}

export function UsualHeader({ session, access, shelves }: HeaderParts & { session: Session; access: Access }) {
  const facts = useFacts()
  const { pathname } = useLocation()
  const { state, isAdmin, needsSecondFactor = false } = access
  const opensVip = rolesOpen('vip', access)
  const links: HeaderLink[] = [
    { label: 'Home', to: '/' },
    { label: 'Banned', to: '/banned' },
    { label: 'Unknown', to: '/unknown' },
    opensVip ? { label: 'VIP Content', to: '/vip' } : { label: 'Plans', to: '/plans' },
    ...(isAdmin ? adminLinksIn('header') : []),
    ...(needsSecondFactor ? [lockedAdminLink] : []),
    ...(facts === undefined ? [] : [{ label: 'Discord', to: facts.communityUrl, isOutside: true }]),
    ...(facts?.look?.links ?? []),
  ]
  const vipPath = opensVip ? '/vip' : '/plans'
  // Items that depend on the roles are hidden until they are known: nothing moves then.
  const waiting = state === 'unknown' ? ' is-waiting' : ''
  return (
    <HeaderFrame
      className={`member-header${waiting}${isAdmin || needsSecondFactor ? ' is-long' : ''}`}
      label={labelOf(pathname)}
      links={links}
      shelves={shelves}
    >
      <ThemeSwitch />
      <VipAccess to={vipPath} />
      <UserMenu session={session} access={access} communityUrl={facts?.communityUrl} />
      <MobileMenu
        links={[...links, isAdmin ? administrationLink : requestsLink, { label: 'Your Account', to: '/account' }]}
      >
        <VipAccess to={vipPath} replace />
        <MemberMenuEnd />
      </MobileMenu>
    </HeaderFrame>
  )
}

const vipShelves = [
  { name: 'vip-asian', path: '/vip-asian', label: 'Asian' },
  { name: 'vip-western', path: '/vip-western', label: 'Western' },
  { name: 'vip-banned', path: '/vip-banned', label: 'Banned' },
  { name: 'vip-unknown', path: '/vip-unknown', label: 'Unknown' },
]

const administrationLink: HeaderLink = { label: 'Administration', to: '/admin' }
const requestsLink: HeaderLink = { label: 'Requests', to: '/requests' }

/** The header of the VIP area, for members of it and for administrators. */
export function VipHeader({
  session,
  access,
  planType,
}: {
  session: Session
  access: Access
  planType: AccountForMember['planType'] | undefined
}) {
  const facts = useFacts()
  const { pathname } = useLocation()
  const links: HeaderLink[] = [
    { label: 'VIP Home', to: '/vip' },
    ...vipShelves.map(({ name, path, label }) => ({
      label: `VIP ${label}`,
      to: path,
      count: <ShelfCount shelf={name} token={session.token} />,
    })),
    ...(facts === undefined ? [] : [{ label: 'VIP Discord', to: facts.vipCommunityUrl, isOutside: true }]),
  ]
  return (
    <>
      <HeaderFrame className="member-header vip-header" label={vipLabelOf(pathname)} links={links}>
        <ThemeSwitch />
        <VipUserMenu session={session} access={access} communityUrl={facts?.communityUrl} planType={planType} />
        <MobileMenu links={[...links, requestsLink, { label: 'My VIP Account', to: '/account' }]} heading="VIP MENU">
          <MemberMenuEnd />
        </MobileMenu>
      </HeaderFrame>
      {/* Where the header has no room for them. It stays in sight, and this does not. */}
      <div className="column shelves vip-shelves">
        <ShelfRow shelves={vipShelves} token={session.token} />
      </div>
    </>
  )
}

/** The end of a member's mobile menu: leaving, and what the narrowest headers have no place for. */
function MemberMenuEnd() {
  const signOut = useSignOut()
  return (
    <div className="menu-end">
      <button type="button" className="button" onClick={signOut}>
        Logout
      </button>
      <ThemeSwitch />
    </div>
  )
}

/** For somebody who signed out without a connection, on any page that they see later. */
export function SignOutNotice() {
  return (
    <div className="column sign-out-notice" role="status">
      <div className="notice notice-calm">
        <p>
          You are signed out in this browser, but the server could not be told. Your session ends there by itself, or
          sooner from the list of sessions under Security and data on your account page.
        </p>
        <Button label="Close" onClick={() => storeUntoldSignOut(false)} />
      </div>
    </div>
  )
}
