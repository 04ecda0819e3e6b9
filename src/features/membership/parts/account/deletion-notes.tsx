import { daysInWords, daysLeft } from '../../../../browser/format-instant.ts'
import type { AccountPageProps } from '../../../accounts/settings/account-page.ts'
import { useKnownMembership } from './known-membership.tsx'

export function MembershipLosses({ profile, now }: Pick<AccountPageProps<unknown>, 'profile' | 'now'>) {
  const { membership } = useKnownMembership()
  const { isVip, vipExpirationDate, planType } = profile
  // Until the membership has come, a plan stands for a subscription.
  const hasSubscription = membership?.hasLiveSubscription ?? planType !== undefined
  return (
    <>
      {isVip && vipExpirationDate !== null ? (
        <li>{`your VIP membership, and what is left of it: ${daysInWords(daysLeft(vipExpirationDate, now))}`}</li>
      ) : null}
      {hasSubscription ? <li>a paid subscription: it is cancelled at once, and you are not charged again</li> : null}
    </>
  )
}

/** The member's bans outlive the account. */
export function KeptBans() {
  const bans = useKnownMembership().membership?.bans
  return bans?.vipDisabled === true || bans?.purchasesBlocked === true ? (
    <p>
      What this account is not allowed to do outlives it: for that a keyed code of your address stays, from which the
      address cannot be read, until the restriction ends.
    </p>
  ) : null
}
