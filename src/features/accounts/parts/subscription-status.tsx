import { Link } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { dayInWords, daysInWords, daysLeft } from '../instant-words.ts'
import type { Profile } from '../session-store.ts'
import { AccountPart } from './account-part.tsx'

const benefits = [
  'Unlimited premium content',
  'Early access',
  'Ad-free',
  'Priority support',
  'Exclusive downloads',
  'HD streaming',
]

/** What the member has, for how long, and the way to the plans. */
export function SubscriptionStatus({ profile: { isVip, vipExpirationDate }, now }: { profile: Profile; now: number }) {
  const hasEnded = !isVip && vipExpirationDate !== null && Date.parse(vipExpirationDate) <= now
  return (
    <AccountPart title="Subscription Status">
      <dl className="account-facts">
        <div>
          <dt>Current Plan</dt>
          <dd>{isVip ? 'VIP Subscription' : 'Free Account'}</dd>
        </div>
        {isVip && vipExpirationDate !== null ? (
          <div>
            <dt>Expires in</dt>
            <dd>
              {daysInWords(daysLeft(vipExpirationDate, now))}{' '}
              <small>
                on <time dateTime={vipExpirationDate}>{dayInWords(vipExpirationDate)}</time>
              </small>
            </dd>
          </div>
        ) : null}
        {hasEnded ? (
          <div>
            <dt>VIP until</dt>
            <dd>
              <time dateTime={vipExpirationDate}>{dayInWords(vipExpirationDate)}</time>
            </dd>
          </div>
        ) : null}
      </dl>
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
      <div className="account-steps">
        <Link className={isVip ? 'button' : 'button button-tint accent-vip'} to="/plans">
          {isVip ? 'Change Plan' : 'Upgrade to VIP'}
        </Link>
      </div>
    </AccountPart>
  )
}
