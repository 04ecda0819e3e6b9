import { useId } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { dayInWords } from '../../../browser/format-instant.ts'
import { useProfile } from '../../accounts/parts/use-profile.ts'
import { PlanCards, SignInLink } from '../parts/plans/plan-cards.tsx'
import { PlanComparison } from '../parts/plans/plan-comparison.tsx'
import { useCheckout } from '../parts/payment/use-checkout.ts'
import { usePortal } from '../parts/account/use-portal.ts'
import { VipFeatures } from '../parts/plans/vip-features.tsx'
import { membershipContext } from '../page-context.ts'
import type { PlanFeatures } from '../plans/plan-texts.ts'
import { isPlanType, notSold, plans } from '../plans/plans.ts'
import type { Route } from './+types/plans.ts'
import '../parts/plans/plans-page.css'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

export function loader({ context }: Route.LoaderArgs) {
  const { config, texts } = context.get(membershipContext)
  const { publicUrl, payments } = config
  const { brandName } = texts.inForce
  const features: PlanFeatures = {
    monthly: texts.list('plans.monthly'),
    annual: texts.list('plans.annual'),
    free: texts.list('plans.free'),
  }
  return {
    brandName,
    publicUrl,
    isSold: !payments.isOff,
    isTest: !payments.isLive && !payments.isOff,
    features,
    reasons: texts.table('plans.reasons'),
    comparison: texts.table('plans.comparison'),
  }
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return [{ title: 'Error' }, { name: 'robots', content: 'noindex' }]
  const { brandName, publicUrl, isSold } = loaderData
  const url = `${publicUrl}/plans`
  return pageMeta({
    title: 'VIP LOUNGE',
    brand: brandName,
    description: `The plans of ${brandName}: VIP access by the month or by the year, and what is free for everybody.`,
    canonical: url,
    image: `${publicUrl}/share.png`,
    structured: isSold
      ? [
          {
            '@type': 'Product',
            name: `${brandName} VIP`,
            url,
            offers: Object.values(plans).map(({ name, priceCents, currency }) => ({
              '@type': 'Offer',
              name,
              price: (priceCents / 100).toFixed(2),
              priceCurrency: currency.toUpperCase(),
              url,
            })),
          },
        ]
      : [],
  })
}

export default function Plans({
  loaderData: { brandName, isSold, isTest, features, reasons, comparison },
}: Route.ComponentProps) {
  // Also the check of the stored token: one that the server rejects is removed (docs/spec/pages.md#plans).
  const { profile, isWaiting } = useProfile()
  const checkout = useCheckout()
  const portal = usePortal()
  const why = useId()
  const ownPlan = profile?.isVip === true && isPlanType(profile.planType) ? profile.planType : undefined
  // A membership that nobody pays for: a plan can be bought beside it.
  const givenUntil = profile?.isVip === true && ownPlan === undefined ? profile.vipExpirationDate : null
  return (
    <div className="column plans accent-vip">
      <header className="plans-head">
        <p className="plans-brand" dir="auto">
          {brandName}
        </p>
        <h1>VIP LOUNGE</h1>
        <p>
          {isSold
            ? 'One membership opens the whole library. Pay by the month or by the year, and cancel whenever you like.'
            : 'One membership opens the whole library.'}
        </p>
      </header>
      <section className="plans-offer" aria-label="Plans">
        {isSold ? null : <p className="plans-test notice notice-calm">{notSold}</p>}
        <PlanCards
          features={features}
          isSold={isSold}
          holder={{ ownPlan, isWaiting: checkout.isReady && isWaiting }}
          checkout={checkout}
          portal={portal}
        />
        <Announced>
          {givenUntil === null ? null : (
            <Notice tone="calm">
              {`You are VIP until ${dayInWords(givenUntil)}, without a subscription.${isSold ? ' A plan you buy now starts right away.' : ''}`}
            </Notice>
          )}
        </Announced>
        <p className="plans-foot">
          {isSold ? (
            <>
              <span>You pay by card at Stripe; this site never sees your card.</span>
              <span>Cancel any time and keep access until the end of the period you paid for.</span>
            </>
          ) : null}
          <span className="plans-sign-in">
            Already a member? <SignInLink />
          </span>
        </p>
        {isTest ? <p className="plans-test notice notice-calm">TEST MODE: no card is charged.</p> : null}
      </section>
      <section aria-labelledby={why}>
        <h2 id={why}>Why Choose VIP?</h2>
        <VipFeatures reasons={reasons} level={3} />
      </section>
      <PlanComparison rows={comparison} />
      {/* Links of before lead to these two. */}
      <div className="plans-legal">
        <section id="terms" aria-label="Terms of Service">
          <p>
            Buying a plan means agreeing to the <TextLink to="/terms">Terms of Service</TextLink>.
          </p>
        </section>
        <section id="privacy" aria-label="Privacy Policy">
          <p>
            The <TextLink to="/privacy">Privacy Policy</TextLink> says what is kept about you, why, and for how long.
          </p>
        </section>
      </div>
    </div>
  )
}
