import type { ComponentProps } from 'react'
import { describe, expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import { MembershipLosses } from './deletion-notes.tsx'
import { SubscriptionStatus } from './subscription-status.tsx'

type Props = ComponentProps<typeof SubscriptionStatus>
type Known = Props['known']
type Membership = NonNullable<Known['membership']>

const now = Date.parse('2024-03-15T12:00:00Z')
const inDays = (days: number): string => new Date(now + days * 86_400_000).toISOString()

const freeProfile: Props['profile'] = {
  name: 'Jane Reader',
  email: 'jane@readers.example',
  isEmailConfirmed: true,
  requestedEmail: null,
  emailStop: null,
  hasPrivateFeed: false,
  profileImage: null,
  createdAt: '2024-03-15T12:00:00Z',
  isVip: false,
  isAdmin: false,
  needsSecondFactor: false,
  vipExpirationDate: null,
}
const vipProfile: Props['profile'] = { ...freeProfile, isVip: true, vipExpirationDate: inDays(30) }

const membership: Membership = {
  isVip: true,
  reason: 'plan',
  sentence: 'VIP through a paid plan that renews on April 14, 2024.',
  planType: 'monthly',
  endsAt: inDays(30),
  renewsAt: inDays(30),
  canManage: true,
  hasLiveSubscription: true,
  pastDueUntil: null,
  bans: { vipDisabled: false, purchasesBlocked: false },
  payments: [],
}
const payment: Membership['payments'][number] = {
  number: 'ABCD-0001',
  planType: 'monthly',
  amountCents: 1_200,
  refundedCents: 0,
  currency: 'usd',
  status: 'paid',
  invoicedAt: '2024-03-15T12:00:00Z',
  paidAt: '2024-03-15T12:00:00Z',
}

function shown(profile: Props['profile'], known: Partial<Known> = {}, isSold = true) {
  const all = { membership: undefined, hasFailed: false, isFetching: false, tryAgain: () => undefined, ...known }
  return rendered(<SubscriptionStatus profile={profile} known={all} isSold={isSold} benefits={ownWords} now={now} />)
}

const ownWords = [
  'Unlimited premium content',
  'Early access',
  'Ad-free',
  'Priority support',
  'Exclusive downloads',
  'HD streaming',
]
const benefits =
  'VIP Benefits Unlimited premium content Early access Ad-free Priority support Exclusive downloads HD streaming'

describe('the subscription status of a member', () => {
  test('who has no membership names the free account and leads to the plans', () => {
    const { text, hrefs } = shown(freeProfile)
    expect(text).toMatch(/^Subscription Status Current Plan Free Account Upgrade to VIP/)
    expect(text).not.toContain('VIP Benefits')
    expect(text).not.toContain('Manage Subscription')
    expect(hrefs).toEqual(['/plans'])
  })

  test.each([
    [inDays(30), '30 days on April 14, 2024'],
    ['2024-03-15T12:00:01Z', '1 day on March 15, 2024'],
  ])('whose access ends at %s says that it expires in %s, and names the benefits', (vipExpirationDate, words) => {
    const { text, hrefs } = shown({ ...vipProfile, vipExpirationDate })
    expect(text).toContain(`Current Plan VIP Subscription Expires in ${words}`)
    expect(text).toContain(benefits)
    expect(text).toContain('Change Plan')
    expect(hrefs).toEqual(['/plans'])
  })

  test('whose membership is over has a free account, and reads until when it lasted', () => {
    const { text } = shown({ ...freeProfile, vipExpirationDate: '2024-03-01T12:00:00Z' })
    expect(text).toContain('Current Plan Free Account VIP until March 1, 2024')
    expect(text).not.toContain('VIP Benefits')
  })

  test('who has a plan that renews reads when, and the way to manage it', () => {
    const { text } = shown(vipProfile, { membership: { ...membership, planType: 'annual', renewsAt: inDays(365) } })
    expect(text).toContain('VIP Subscription ANNUAL PREMIUM Renews in 365 days on March 15, 2025')
    expect(text).toContain(membership.sentence)
    expect(text).toContain('Manage Subscription')
  })

  test('does not say whether a plan renews before that is known', () => {
    const { text } = shown({ ...vipProfile, planType: 'monthly' })
    expect(text).toContain('VIP until April 14, 2024')
    expect(text).not.toMatch(/Expires in|Renews in/)
  })

  test('whose plan was cancelled reads when it expires', () => {
    const { text } = shown(vipProfile, { membership: { ...membership, renewsAt: null } })
    expect(text).toContain('Expires in 30 days on April 14, 2024')
    expect(text).not.toContain('Renews in')
  })

  test('whose last payment failed is told until when the card can be updated', () => {
    const { text } = shown(vipProfile, {
      membership: { ...membership, reason: 'grace', renewsAt: null, pastDueUntil: '2024-03-20T12:00:00Z' },
    })
    expect(text).toContain(
      'The last payment failed. Update your card with Manage Subscription by March 20, 2024, and the membership goes on without a break.',
    )
  })

  test('lists six payments at first, with what became of each, and offers the others', () => {
    const payments = [
      { ...payment, status: 'open' as const, number: null },
      ...Array.from({ length: 7 }, (_, place) => ({
        ...payment,
        number: `ABCD-000${place}`,
        refundedCents: place === 0 ? 400 : place === 1 ? 1_200 : 0,
      })),
    ]
    const { html, text } = shown(vipProfile, { membership: { ...membership, payments } })
    expect(html.match(/<time[^>]*>March 15, 2024<\/time><span/g)).toHaveLength(6)
    expect(text).toMatch(/Not paid yet .* \$4\.00 refunded .* Refunded .* Paid /)
    expect(text).toContain('Show all 8 payments')
    expect(shown(vipProfile, { membership: { ...membership, payments: payments.slice(0, 6) } }).text).not.toContain(
      'Show all',
    )
  })

  test('stands from the profile alone when the membership could not be loaded, and offers to ask again', () => {
    const { text } = shown(vipProfile, { hasFailed: true })
    expect(text).toContain('Expires in 30 days')
    expect(text).toContain('The details of your membership could not be loaded. Try again')
    expect(text).not.toContain('Manage Subscription')
    expect(shown(vipProfile, { hasFailed: true, isFetching: true }).text).toContain('Loading...')
  })

  test('leads neither to plans nor to a portal where nothing is sold', () => {
    const { text, hrefs } = shown(vipProfile, { membership }, false)
    expect(hrefs).toEqual([])
    expect(text).not.toMatch(/Manage Subscription|Change Plan/)
  })
})

test('Nobody loses a paid subscription with their account who pays for none', () => {
  const lost = (profile: Props['profile']): string => rendered(<MembershipLosses profile={profile} now={now} />).text
  const given = 'your VIP membership, and what is left of it: 30 days'
  expect(lost(vipProfile)).toBe(given)
  expect(lost({ ...vipProfile, planType: 'monthly' })).toBe(
    `${given} a paid subscription: it is cancelled at once, and you are not charged again`,
  )
})
