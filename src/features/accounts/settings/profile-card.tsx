import { useState } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { initialsOf } from '../user/initials.ts'
import { dayInWords } from '../../../browser/format-instant.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { securityPath } from './account-page.ts'
import './profile-card.css'

export function ProfileCard({ profile }: { profile: AccountForMember }) {
  const { name, email, profileImage, createdAt, isVip, isAdmin, isEmailConfirmed } = profile
  return (
    <header className={isVip ? 'profile accent-vip' : 'profile'}>
      <Portrait name={name} image={profileImage} />
      <div className="profile-words">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p className="profile-email">
          <bdi>{email}</bdi>
          {isEmailConfirmed ? null : (
            <>
              <span className="profile-unconfirmed"> (not confirmed yet)</span>{' '}
              <TextLink to={securityPath}>Confirm it</TextLink>
            </>
          )}
        </p>
        <p className="quiet-label">
          Member since <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
        </p>
        <p className="profile-badges">
          {isVip ? <Badge icon="crown">VIP Member</Badge> : <Badge>Free Member</Badge>}
          {isAdmin ? <Badge icon="shield">Administrator</Badge> : null}
        </p>
      </div>
    </header>
  )
}

/** The picture, or where there is none or it does not come, a bookplate with the initials of the name. */
function Portrait({ name, image }: { name: string; image: string | null }) {
  const [failed, setFailed] = useState<string>()
  if (image !== null && image !== '' && image !== failed) {
    return <img className="portrait" src={image} alt="" width="96" height="96" onError={() => setFailed(image)} />
  }
  const initials = initialsOf(name)
  return (
    <svg className="portrait portrait-drawn" viewBox="0 0 96 96" aria-hidden="true">
      <rect x="5.5" y="5.5" width="85" height="85" rx="9" />
      {initials === '' ? (
        <path d="M48 25a13 13 0 1 0 0 26 13 13 0 0 0 0-26ZM22 78c3-14 13-20 26-20s23 6 26 20" />
      ) : (
        <text x="48" y="49" textAnchor="middle" dominantBaseline="central">
          {initials}
        </text>
      )}
    </svg>
  )
}
