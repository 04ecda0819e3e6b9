import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { Menu, type MenuGroup } from '../../../../ui/menu.tsx'
import { useMedia } from '../../../../ui/use-media.ts'
import { rolesOpen } from '../../../office/viewer/can-access.ts'
import type { AccountForMember } from '../../../office/viewer/viewer-schema.ts'
import type { Access, Session } from '../../../../browser/session-store.ts'
import { adminLinksIn, lockedAdminLink } from '../../admin-links.ts'
import { useSignOut } from '../use-sign-out.ts'

interface Member {
  session: Session
  access: Access
  communityUrl: string | undefined
}

export function UserMenu({ session, access, communityUrl }: Member) {
  return (
    <Chip session={session} access={access} groups={usualGroups(access, communityUrl, useSignOut())}>
      <UsualStanding access={access} />
    </Chip>
  )
}

/** The member's roles, in words. */
export function UsualStanding({ access: { isVip, isAdmin } }: Pick<Member, 'access'>) {
  return (
    <>
      <span className={isVip ? 'member-status accent-vip is-vip' : 'member-status'}>
        {isVip ? <Icon name="crown" size={16} /> : null}
        {isVip ? 'VIP Member' : 'Free Member'}
      </span>
      {isAdmin ? (
        <span className="member-status">
          <Icon name="shield" size={16} />
          Admin
        </span>
      ) : null}
    </>
  )
}

/** The menu in the VIP area. */
export function VipUserMenu({ session, access, communityUrl, planType }: Member & Plan) {
  return (
    <Chip session={session} access={access} groups={vipGroups(access, communityUrl, useSignOut())}>
      <VipStanding access={access} planType={planType} />
    </Chip>
  )
}

interface Plan {
  planType: AccountForMember['planType'] | undefined
}

/** Names the annual plan (docs/spec/pages.md#vip-header). */
export function VipStanding({ access: { isVip, isAdmin }, planType }: Pick<Member, 'access'> & Plan) {
  return (
    <>
      {isVip ? (
        <span className="member-status small-caps accent-vip is-vip">
          <Icon name="crown" size={16} />
          {planType === 'annual' ? 'VIP PREMIUM' : 'VIP MEMBER'}
        </span>
      ) : null}
      {isAdmin ? (
        <span className="member-status small-caps">
          <Icon name="shield" size={16} />
          ADMIN
        </span>
      ) : null}
    </>
  )
}

export function usualGroups(access: Access, communityUrl: string | undefined, onSignOut: () => void): MenuGroup[] {
  return [
    {
      items: [
        { label: 'Your Account', to: '/account' },
        ...(rolesOpen('vip', access) ? [{ label: 'VIP Content', to: '/vip' }] : []),
        { label: 'Saved entries', to: '/account/saved' },
        { label: 'Requests', to: '/requests' },
        ...communityItems(communityUrl),
      ],
    },
    ...adminGroups(access, 'Admin Controls'),
    { items: [{ label: 'Logout', onSelect: onSignOut }] },
  ]
}

export function vipGroups(access: Access, communityUrl: string | undefined, onSignOut: () => void): MenuGroup[] {
  return [
    {
      items: [
        { label: 'VIP Account', to: '/account' },
        { label: 'VIP Asian', to: '/vip-asian' },
        { label: 'VIP Western', to: '/vip-western' },
        { label: 'Saved entries', to: '/account/saved' },
        { label: 'Requests', to: '/requests' },
        ...communityItems(communityUrl),
      ],
    },
    ...adminGroups(access, 'ADMIN CONTROLS'),
    { items: [{ label: 'Logout', onSelect: onSignOut }] },
  ]
}

const adminItems = adminLinksIn('menu')

function adminGroups({ isAdmin, needsSecondFactor = false }: Access, label: string): MenuGroup[] {
  if (isAdmin) return [{ label, items: adminItems }]
  return needsSecondFactor ? [{ label, items: [lockedAdminLink] }] : []
}

function communityItems(communityUrl: string | undefined): MenuGroup['items'] {
  return communityUrl === undefined ? [] : [{ label: 'Discord', outsideUrl: communityUrl }]
}

/** On a narrow screen a click on the chip leads straight to the account (docs/spec/pages.md#narrow). */
const narrow = '(max-width: 768px)'

/** The member and their roles: the button of the user menu, or on narrow screens a link to the account. */
function Chip({
  session,
  access,
  groups,
  children,
}: {
  session: Session
  access: Access
  groups: MenuGroup[]
  /** The member's roles. */
  children: ReactNode
}) {
  const isNarrow = useMedia(narrow)
  const name = session.name === '' ? session.email : session.name
  const { mark, words } = standingOf(access)
  const avatar = (
    <span className={access.isVip ? 'avatar accent-vip is-vip' : 'avatar'} aria-hidden="true">
      {initialOf(name)}
      {mark === undefined ? null : (
        <span className="avatar-mark">
          <Icon name={mark} size={12} />
        </span>
      )}
    </span>
  )
  if (isNarrow) {
    return (
      <Link
        className="menu-button user-chip"
        to="/account"
        aria-label={`Account of ${name}${words === '' ? '' : `, ${words}`}`}
      >
        {avatar}
      </Link>
    )
  }
  return (
    <Menu
      className="user-menu"
      button={
        <span className="user-chip">
          {avatar}
          <span className="user-words">
            <span className="user-name" dir="auto">
              <span className="sr-only">Account menu of </span>
              {name}
            </span>
            <span className="user-standing">{words}</span>
          </span>
          <Icon name="down" size={16} />
        </span>
      }
      head={
        <>
          <span className="member-name" title={name}>
            <bdi>{name}</bdi>
          </span>
          <span className="member-facts">{children}</span>
        </>
      }
      groups={groups}
    />
  )
}

/** The mark of the closed chip; none until the roles are known. */
function standingOf({ state, isVip, isAdmin }: Access): { mark?: 'crown' | 'shield'; words: string } {
  if (isAdmin) return { mark: 'shield', words: 'Admin' }
  if (isVip) return { mark: 'crown', words: 'VIP' }
  return { words: state === 'known' ? 'Free' : '' }
}

function initialOf(name: string): string {
  return ([...name.trim()][0] ?? '').toUpperCase()
}
