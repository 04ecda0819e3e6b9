import { useEffect, useState } from 'react'
import { PrefetchPageLinks, useLocation } from 'react-router'
import { useIsOnline } from '../../../ui/use-is-online.ts'
import { loadProfile } from '../../accounts/call-api.ts'
import { mayEnter } from '../../accounts/may-enter.ts'
import { type Access, current, type Profile, type Session, useSession } from '../../accounts/session-store.ts'
import { isVipPath, labelOf, vipLabelOf } from '../section.ts'
import { HeaderFrame } from './header-frame.tsx'
import type { HeaderLink } from './header-link.tsx'
import { MemberMenuEnd } from './member-menu-end.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { useFacts } from './use-facts.ts'
import { UserMenu, VipUserMenu } from './user-menu.tsx'
import { VipAccess } from './vip-access.tsx'
import './member-header.css'

export { SignOutNotice } from './sign-out-notice.tsx'

/** The header of whoever has signed in; in the VIP part, for those who may enter it, the VIP header. */
export default function MemberHeader() {
  const { session, access } = useSession()
  const { pathname } = useLocation()
  const isOnline = useIsOnline()
  const token = session?.token
  const [told, setTold] = useState<{ token: string; profile: Profile }>()
  const profile = told?.token === token ? told?.profile : undefined
  // Who has become a VIP since, has a plan to tell of.
  const isBehind = profile !== undefined && access.state === 'known' && access.isVip !== profile.isVip
  const question = profile === undefined || isBehind ? token : undefined

  useEffect(() => {
    if (question === undefined) return
    const ask = async (): Promise<void> => {
      const profile = await loadProfile()
      if (profile !== undefined) setTold({ token: question, profile })
      if (profile !== undefined || current().session?.token !== question) return
      // PRODUCT.md, section 5: "logged only; the user stays non-VIP, non-admin".
      // oxlint-disable-next-line no-console
      console.info('The profile could not be loaded.')
    }
    void ask()
  }, [question])

  if (session === undefined) return null
  const isInVipPart = isVipPath(pathname) && mayEnter('vip', access)
  return (
    <>
      {/* Signing out leads there, also when the connection has gone. */}
      {isOnline ? <PrefetchPageLinks page="/" /> : null}
      {isInVipPart ? (
        <VipHeader session={session} access={access} planType={profile?.planType} />
      ) : (
        <UsualHeader session={session} access={access} />
      )}
    </>
  )
}

function UsualHeader({ session, access }: { session: Session; access: Access }) {
  const facts = useFacts()
  const { pathname } = useLocation()
  const { state, isVip, isAdmin } = access
  const links: HeaderLink[] = [
    { label: 'Home', to: '/' },
    { label: 'Banned', to: '/banned' },
    { label: 'Unknown', to: '/unknown' },
    isVip ? { label: 'VIP Content', to: '/vip' } : { label: 'Plans', to: '/plans' },
    ...(isAdmin
      ? [
          { label: 'Admin Panel', to: '/admin/settings' },
          { label: 'Statistics', to: '/admin/stats' },
          { label: 'Requests', to: '/admin/requests' },
        ]
      : []),
    ...(facts === undefined ? [] : [{ label: 'Discord', to: facts.communityUrl, isOutside: true }]),
  ]
  const vipPath = isVip ? '/vip' : '/plans'
  // What depends on the roles is not shown before they are known: nothing moves when they are.
  const waiting = state === 'unknown' ? ' is-waiting' : ''
  return (
    <HeaderFrame
      className={`member-header${waiting}${isAdmin ? ' is-long' : ''}`}
      label={labelOf(pathname)}
      links={links}
    >
      <ThemeSwitch />
      <VipAccess to={vipPath} />
      <UserMenu session={session} access={access} communityUrl={facts?.communityUrl} />
      <MobileMenu links={[...links, { label: 'Your Account', to: '/account' }]}>
        <VipAccess to={vipPath} replace />
        <MemberMenuEnd />
      </MobileMenu>
    </HeaderFrame>
  )
}

/** The header of the VIP part, for members of it and for administrators. */
function VipHeader({
  session,
  access,
  planType,
}: {
  session: Session
  access: Access
  planType: Profile['planType'] | undefined
}) {
  const facts = useFacts()
  const { pathname } = useLocation()
  const links: HeaderLink[] = [
    { label: 'VIP Home', to: '/vip' },
    { label: 'VIP Asian', to: '/vip-asian' },
    { label: 'VIP Western', to: '/vip-western' },
    { label: 'VIP Banned', to: '/vip-banned' },
    { label: 'VIP Unknown', to: '/vip-unknown' },
    ...(facts === undefined ? [] : [{ label: 'VIP Discord', to: facts.vipCommunityUrl, isOutside: true }]),
  ]
  return (
    <HeaderFrame className="member-header vip-header" label={vipLabelOf(pathname)} links={links}>
      <ThemeSwitch />
      <VipUserMenu session={session} access={access} communityUrl={facts?.communityUrl} planType={planType} />
      <MobileMenu links={[...links, { label: 'My VIP Account', to: '/account' }]} heading="VIP MENU">
        <MemberMenuEnd />
      </MobileMenu>
    </HeaderFrame>
  )
}
