import { type ReactNode, useEffect, useRef } from 'react'
import { ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { wayTo } from '../../../accounts/parts/auth-links.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { moneyInWords } from '../../plans/format-money.ts'
import { freeFeatureCount, type PlanFeatures } from '../../plans/plan-texts.ts'
import { annualSavingPercent, plans, type PlanType } from '../../plans/plans.ts'
import { ManageSubscription, PortalNews } from '../account/manage-subscription.tsx'
import { MessageNotice } from '../payment/message-notice.tsx'
import type { Checkout } from '../payment/use-checkout.ts'
import type { Portal } from '../account/use-portal.ts'
import './plan-cards.css'

const { monthly, annual } = plans

/** The monthly price of the annual plan: cut off, as the price is announced (docs/spec/words.md#constants). */
export const annualMonthCents = Math.floor(annual.priceCents / 12)

/** Which plan the member has: the other cards say where to manage it. */
export interface PlanHolder {
  /** The plan that gives the visitor access now. */
  ownPlan: PlanType | undefined
  /** Whether that is still being asked: what may become another button is not shown before it is known. */
  isWaiting: boolean
}

/** The three cards (docs/spec/pages.md#plans). */
export function PlanCards({
  features,
  isSold,
  holder,
  checkout,
  portal,
}: {
  features: PlanFeatures
  /** Else the cards say what there is, without a way to it. */
  isSold: boolean
  holder: PlanHolder
  checkout: Checkout
  portal: Portal
}) {
  const { ownPlan } = holder
  const wayOf = (plan: PlanType, label: string): ReactNode =>
    isSold ? <WayIn plan={plan} label={label} holder={holder} checkout={checkout} portal={portal} /> : null
  return (
    <ul className="plan-cards">
      <PlanCard
        id="monthly"
        name={monthly.name}
        lead="Everything, a month at a time."
        isOwn={ownPlan === 'monthly'}
        amount={moneyInWords(monthly.priceCents, monthly.currency)}
        period=" per month"
        charged="billed each month"
        way={wayOf('monthly', 'Get VIP Access')}
        has={features.monthly}
      />
      <PlanCard
        id="annual"
        name={annual.name}
        lead="Everything, for a year."
        isPopular
        savingPercent={annualSavingPercent()}
        isOwn={ownPlan === 'annual'}
        amount={moneyInWords(annualMonthCents, annual.currency)}
        period="/mo"
        charged={`billed ${moneyInWords(annual.priceCents, annual.currency)}/year`}
        way={wayOf('annual', 'Get Annual Plan')}
        has={features.annual}
      />
      <PlanCard
        id="free"
        name="FREE ACCESS"
        lead="The free shelves, for everybody."
        isOwn={false}
        amount={moneyInWords(0, 'usd')}
        period=" per month"
        charged="no card, no account"
        way={<ButtonLink label="Access Free Content" to="/" />}
        has={features.free.slice(0, freeFeatureCount)}
        lacks={features.free.slice(freeFeatureCount)}
      />
    </ul>
  )
}

function PlanCard({
  id,
  name,
  lead,
  isPopular = false,
  savingPercent = 0,
  isOwn,
  amount,
  period,
  charged,
  way,
  has,
  lacks,
}: {
  id: string
  name: string
  lead: string
  isPopular?: boolean
  /** Against twelve months of the monthly plan; 0 for none. */
  savingPercent?: number
  isOwn: boolean
  amount: string
  period: string
  charged: string
  way: ReactNode
  has: string[]
  lacks?: string[] | undefined
}) {
  return (
    <li id={id} className={isPopular ? 'plan is-popular' : 'plan'}>
      <p className="plan-marks">
        {isPopular ? <span className="badge small-caps plan-popular">POPULAR</span> : null}
        {savingPercent > 0 ? <span className="badge plan-saving">{`Save ${savingPercent}%`}</span> : null}
        {isOwn ? <Badge icon="check">Your plan</Badge> : null}
      </p>
      <div>
        <h2>{name}</h2>
        <p className="plan-lead">{lead}</p>
      </div>
      <div>
        <p className="plan-price">
          <span className="plan-amount">{amount}</span>
          <span className="plan-period">{period}</span>
        </p>
        <p className="soft-label">{charged}</p>
      </div>
      <div className="plan-way">{way}</div>
      <ul className="plan-features">
        {has.map((feature) => (
          <li key={feature}>
            <Icon name="check" size={16} />
            {feature}
          </li>
        ))}
        {lacks?.map((feature) => (
          <li key={feature} className="is-lacking">
            <Icon name="close" size={16} />
            <span>
              <span className="sr-only">Not included: </span>
              <s>{feature}</s>
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The button of a paid plan: to the payment page, or for its holder to the portal; and its error. */
function WayIn({
  plan,
  label,
  holder: { ownPlan, isWaiting },
  checkout,
  portal,
}: {
  plan: PlanType
  label: string
  holder: PlanHolder
  checkout: Checkout
  portal: Portal
}) {
  const { isReady, underWay, checkoutError, buy } = checkout
  const button = useRef<HTMLButtonElement>(null)
  const isUnderWay = underWay === plan
  const own = checkoutError?.plan === plan ? checkoutError : undefined

  useEffect(() => {
    // A button loses the focus when it is disabled.
    if (own !== undefined && document.activeElement === document.body) button.current?.focus()
  }, [own])

  const look = plan === 'annual' ? 'button button-solid' : 'button button-tint'
  if (ownPlan !== undefined) {
    return (
      <>
        <ManageSubscription portal={portal} className={look} />
        {ownPlan === plan ? <PortalNews portal={portal} /> : null}
      </>
    )
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${look} with-script${isReady ? '' : ' is-waking'}${isWaiting ? ' is-waiting' : ''}`}
        disabled={!isReady || isUnderWay}
        aria-disabled={underWay !== undefined}
        onClick={() => buy(plan)}
      >
        {isUnderWay ? <span className="spinner" aria-hidden="true" /> : null}
        {isUnderWay ? 'Processing...' : label}
      </button>
      <p className="without-script soft-label">
        To buy this plan, please allow JavaScript for this site: the way to the payment page needs it.
      </p>
      <Announced>
        {own?.kind === 'refused' ? <MessageNotice message={own.message} /> : null}
        {own?.kind === 'subscribed' ? (
          <Notice tone="calm">
            <p>{own.sentence}</p>
            <p>
              <a className="button" href={own.url}>
                {own.isPortal ? 'Open the billing portal' : 'Open your account'}
              </a>
            </p>
          </Notice>
        ) : null}
      </Announced>
    </>
  )
}

export function SignInLink() {
  return <TextLink to={wayTo('/login', '/plans')}>Sign in</TextLink>
}
