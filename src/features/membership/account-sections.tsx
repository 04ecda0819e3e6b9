import type { AccountPageContribution, AccountPageProps } from '../accounts/settings/account-page.ts'
import { KeptBans, MembershipLosses } from './parts/account/deletion-notes.tsx'
import { KnownMembershipProvider, useKnownMembership } from './parts/account/known-membership.tsx'
import { SubscriptionStatus } from './parts/account/subscription-status.tsx'

interface MembershipFacts {
  /** Whether memberships are sold: else neither the plans nor the portal lead anywhere. */
  isSold: boolean
  vipBenefits: readonly string[]
}

export const membershipOnAccountPage: AccountPageContribution<MembershipFacts> = {
  feature: 'membership',
  Provider: KnownMembershipProvider,
  sections: [{ name: 'subscription', order: 20, Section: Subscription }],
  DeletionLosses: MembershipLosses,
  DeletionNotes: KeptBans,
}

function Subscription({ profile, facts: { isSold, vipBenefits }, now }: AccountPageProps<MembershipFacts>) {
  const known = useKnownMembership()
  return <SubscriptionStatus profile={profile} known={known} isSold={isSold} benefits={vipBenefits} now={now} />
}
