import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { dayInWords, daysInWords, daysLeft } from '../../../../browser/format-instant.ts'
import { AccountPart } from '../../../accounts/settings/settings-section.tsx'
import type { AccountForMember } from '../../../office/viewer/viewer-schema.ts'
import { isPlanType, notSold, plans } from '../../plans/plans.ts'
import { ManageSubscription, PortalNews } from './manage-subscription.tsx'
import type { KnownMembership } from './use-membership.ts'
import { usePortal } from './use-portal.ts'
import { moneyInWords } from '../../plans/format-money.ts'
import type { PaymentForMember } from '../../account/membership-schema.ts'
import { paymentInWords } from '../payment/payment-words.ts'
import './payments-list.css'

/** The target of links in emails. */
const partId = 'billing'

/**
 * The member's access and its end, their payments, and the links to the plans and the billing portal. It renders from
 * the profile alone; the membership's answer comes later, or stays away.
 */
export function SubscriptionStatus({
  profile,
  known: { membership, hasFailed, isFetching, tryAgain },
  isSold,
  benefits,
  now,
}: {
  profile: AccountForMember
  known: KnownMembership
  /** Else neither the plans nor the portal lead anywhere. */
  isSold: boolean
  benefits: readonly string[]
  now: number
}) {
  const portal = usePortal()
  const heading = useRef<HTMLHeadingElement>(null)
  const isVip = membership?.isVip ?? profile.isVip
  const ownPlan = isPlanType(profile.planType) ? profile.planType : null
  const planType = membership === undefined ? ownPlan : membership.planType
  const endsAt = membership === undefined ? profile.vipExpirationDate : membership.endsAt
  const hasEnded = !isVip && endsAt !== null && Date.parse(endsAt) <= now
  const pastDueUntil = membership?.pastDueUntil ?? null
  const isNoticed = pastDueUntil !== null && isSold
  const canManage = membership?.canManage ?? ownPlan !== null

  const renewsAt = membership?.renewsAt ?? null
  // The membership says whether a plan renews: without it the date is shown alone.
  const endLabel = membership !== undefined || planType === null ? 'Expires in' : undefined

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
            {isVip && planType !== null ? <small>{` ${plans[planType].name}`}</small> : null}
          </dd>
        </div>
        {isVip && renewsAt !== null ? <End endsAt={renewsAt} label="Renews in" now={now} /> : null}
        {isVip && endsAt !== null && endsAt !== renewsAt ? (
          <End endsAt={endsAt} label={renewsAt === null ? endLabel : undefined} now={now} />
        ) : null}
        {hasEnded ? (
          <div>
            <dt>VIP until</dt>
            <dd>
              <time dateTime={endsAt}>{dayInWords(endsAt)}</time>
            </dd>
          </div>
        ) : null}
      </dl>
      {membership === undefined || membership.reason === 'never' || isNoticed ? null : <p>{membership.sentence}</p>}
      {isNoticed ? (
        <Notice tone="failed">
          <p>{`The last payment failed. Update your card with Manage Subscription by ${dayInWords(pastDueUntil)}, and the membership goes on without a break.`}</p>
        </Notice>
      ) : null}
      {hasFailed && membership === undefined ? (
        <NotLoaded
          isFetching={isFetching}
          onTryAgain={() => {
            // The button goes.
            heading.current?.focus()
            tryAgain()
          }}
        />
      ) : null}
      {isSold ? (
        <div className="button-row account-steps">
          {canManage ? (
            <ManageSubscription portal={portal} className={pastDueUntil === null ? 'button' : 'button button-solid'} />
          ) : null}
          {membership?.reason === 'disabled' ? (
            // They cannot buy: the checkout would refuse them.
            <Link className="button" to="/support">
              Write to Support
            </Link>
          ) : (
            <Link className={isVip ? 'button' : 'button button-tint accent-vip'} to="/plans">
              {isVip ? 'Change Plan' : 'Upgrade to VIP'}
            </Link>
          )}
        </div>
      ) : (
        <p>{notSold}</p>
      )}
      <PortalNews portal={portal} />
      {isVip ? <Benefits benefits={benefits} /> : null}
      {membership === undefined ? null : <PaymentsList payments={membership.payments} />}
    </AccountPart>
  )
}

function NotLoaded({ isFetching, onTryAgain }: { isFetching: boolean; onTryAgain: () => void }) {
  return (
    <div className="notice notice-calm">
      <p>The details of your membership could not be loaded.</p>
      <Button label={isFetching ? 'Loading...' : 'Try again'} isBusy={isFetching} onClick={onTryAgain} />
    </div>
  )
}

function Benefits({ benefits }: { benefits: readonly string[] }) {
  return (
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
  )
}

/** When access ends or is renewed: in how many days, and on which; without a label only the date. */
function End({ endsAt, label, now }: { endsAt: string; label: string | undefined; now: number }) {
  const day = <time dateTime={endsAt}>{dayInWords(endsAt)}</time>
  return (
    <div>
      <dt>{label ?? 'VIP until'}</dt>
      <dd>
        {label === undefined ? (
          day
        ) : (
          <>
            {daysInWords(daysLeft(endsAt, now))} <small>on {day}</small>
          </>
        )}
      </dd>
    </div>
  )
}

/** How many stand there at first: half a year of the monthly plan. */
const maxAtFirst = 6

/** The charges, the latest first. */
function PaymentsList({ payments }: { payments: PaymentForMember[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  if (payments.length === 0) return null
  const shown = isWhole ? payments : payments.slice(0, maxAtFirst)
  const showAll = (): void => {
    setIsWhole(true)
    // The button goes.
    list.current?.focus()
  }
  return (
    <div className="payments-part">
      <h3>Payments</h3>
      <ul ref={list} className="payments" tabIndex={-1} aria-label="Payments">
        {shown.map((payment) => (
          <PaymentRow key={`${payment.invoicedAt} ${payment.number}`} payment={payment} />
        ))}
      </ul>
      {shown.length < payments.length ? (
        <div className="button-row account-steps">
          <Button label={`Show all ${payments.length} payments`} onClick={showAll} />
        </div>
      ) : null}
    </div>
  )
}

function PaymentRow({ payment }: { payment: PaymentForMember }) {
  const { number, planType, amountCents, currency, invoicedAt } = payment
  const { words, isBad } = paymentInWords(payment)
  return (
    <li>
      <time dateTime={invoicedAt}>{dayInWords(invoicedAt)}</time>
      <span className="payment-amount">{moneyInWords(amountCents, currency)}</span>
      <span className="payment-what">
        {plans[planType].name}
        {number === null ? null : <bdi>{number}</bdi>}
      </span>
      <span className={isBad ? 'payment-state is-bad' : 'payment-state'}>{words}</span>
    </li>
  )
}
