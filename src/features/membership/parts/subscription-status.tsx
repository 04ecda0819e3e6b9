import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { dayInWords, daysInWords, daysLeft } from '../../accounts/instant-words.ts'
import { AccountPart } from '../../accounts/parts/account-part.tsx'
import type { Profile } from '../../accounts/session-store.ts'
import { plans } from '../plans.ts'
import { ManageSubscription, PortalNews } from './manage-subscription.tsx'
import { PaymentsList } from './payments-list.tsx'
import type { KnownMembership } from './use-membership.ts'
import { usePortal } from './use-portal.ts'

const benefits = [
  'Unlimited premium content',
  'Early access',
  'Ad-free',
  'Priority support',
  'Exclusive downloads',
  'HD streaming',
]

/** Where links of letters lead. */
const partId = 'billing'

/**
 * What the member has, for how long, what he has paid, and the ways to the plans and the billing portal. It stands from
 * the profile alone; what the membership adds comes later, or stays away.
 */
export function SubscriptionStatus({
  profile,
  known: { membership, hasFailed, isAsking, tryAgain },
  now,
}: {
  profile: Profile
  known: KnownMembership
  now: number
}) {
  const portal = usePortal()
  const heading = useRef<HTMLHeadingElement>(null)
  const isVip = membership?.isVip ?? profile.isVip
  const planType = membership === undefined ? profile.planType : membership.planType
  const endsAt = membership === undefined ? profile.vipExpirationDate : membership.endsAt
  const hasEnded = !isVip && endsAt !== null && Date.parse(endsAt) <= now
  const pastDueUntil = membership?.pastDueUntil ?? null
  const canManage = isVip || membership?.canManage === true

  useEffect(() => {
    // The browser looked for the place before it was there.
    if (window.location.hash === `#${partId}`) heading.current?.scrollIntoView()
  }, [])

  return (
    <AccountPart title="Subscription Status" id={partId} titleRef={heading}>
      <dl className="account-facts">
        <div>
          <dt>Current Plan</dt>
          <dd>
            <span>{isVip ? 'VIP Subscription' : 'Free Account'}</span>
            {isVip && planType != null ? <small>{` ${plans[planType].name}`}</small> : null}
          </dd>
        </div>
        {isVip && endsAt !== null ? <End endsAt={endsAt} reason={membership?.reason} now={now} /> : null}
        {hasEnded ? (
          <div>
            <dt>VIP until</dt>
            <dd>
              <time dateTime={endsAt}>{dayInWords(endsAt)}</time>
            </dd>
          </div>
        ) : null}
      </dl>
      {membership === undefined || membership.reason === 'never' ? null : <p>{membership.sentence}</p>}
      {pastDueUntil === null ? null : (
        <Notice tone="failed">
          <p>{`The last payment failed. Update your card with Manage Subscription by ${dayInWords(pastDueUntil)}, and the membership goes on without a break.`}</p>
        </Notice>
      )}
      {hasFailed && membership === undefined ? (
        <div className="notice notice-calm">
          <p>The details of your membership could not be loaded.</p>
          <button
            type="button"
            className="button"
            aria-disabled={isAsking}
            onClick={() => {
              if (isAsking) return
              // The button goes.
              heading.current?.focus()
              tryAgain()
            }}
          >
            {isAsking ? 'Loading...' : 'Try again'}
          </button>
        </div>
      ) : null}
      <div className="account-steps">
        {canManage ? (
          <ManageSubscription
            portal={portal}
            className={pastDueUntil === null ? 'button' : 'button button-solid accent-banned'}
          />
        ) : null}
        <Link className={isVip ? 'button' : 'button button-tint accent-vip'} to="/plans">
          {isVip ? 'Change Plan' : 'Upgrade to VIP'}
        </Link>
      </div>
      <PortalNews portal={portal} />
      {isVip ? (
        <div className="account-benefits accent-vip">
          <h3>VIP Benefits</h3>
          <ul>
            {benefits.map((benefit) => (
              <li key={benefit}>
                <Icon name="check" size={16} />
                {benefit}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {membership === undefined ? null : <PaymentsList payments={membership.payments} />}
    </AccountPart>
  )
}

/** When access ends, and where a plan is behind it, whether it goes on by itself then. */
function End({
  endsAt,
  reason,
  now,
}: {
  endsAt: string
  reason: NonNullable<KnownMembership['membership']>['reason'] | undefined
  now: number
}) {
  const label = reason === 'plan' ? 'Renews on' : reason === 'plan_ending' ? 'Ends on' : undefined
  const day = <time dateTime={endsAt}>{dayInWords(endsAt)}</time>
  return (
    <>
      <div>
        <dt>Expires in</dt>
        <dd>
          {daysInWords(daysLeft(endsAt, now))} {label === undefined ? <small>on {day}</small> : null}
        </dd>
      </div>
      {label === undefined ? null : (
        <div>
          <dt>{label}</dt>
          <dd>{day}</dd>
        </div>
      )}
    </>
  )
}
