import { useId } from 'react'
import { appContext } from '../../../platform/page-context.ts'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { dayInWords } from '../../accounts/instant-words.ts'
import { useAccount } from '../../accounts/parts/use-account.ts'
import { LegalSection } from '../parts/legal-section.tsx'
import { PlanCards, SignInLink } from '../parts/plan-cards.tsx'
import { PlanComparison } from '../parts/plan-comparison.tsx'
import { useCheckout } from '../parts/use-checkout.ts'
import { usePortal } from '../parts/use-portal.ts'
import { VipFeatures } from '../parts/vip-features.tsx'
import { plans } from '../plans.ts'
import type { Route } from './+types/plans.ts'
import '../parts/plans-page.css'

export function loader({ context }: Route.LoaderArgs) {
  const { config, legalTexts } = context.get(appContext)
  const { brandName, publicUrl, payments } = config
  return { brandName, publicUrl, isTest: !payments.isLive, legalTexts }
}

/** What the loader tells is the same for every address of this page. */
export function shouldRevalidate(): boolean {
  return false
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return [{ title: 'Error' }, { name: 'robots', content: 'noindex' }]
  const { brandName, publicUrl } = loaderData
  const url = `${publicUrl}/plans`
  return pageMeta({
    title: 'VIP LOUNGE',
    brand: brandName,
    description: `The plans of ${brandName}: VIP access by the month or by the year, and what is free for everybody.`,
    canonical: url,
    image: `${publicUrl}/share.png`,
    structured: [
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
    ],
  })
}

export default function Plans({ loaderData: { brandName, isTest, legalTexts } }: Route.ComponentProps) {
  // Also the check of the stored token: one that the server rejects is removed (PRODUCT.md, section 5, "Plans page").
  const { account } = useAccount()
  const checkout = useCheckout()
  const portal = usePortal()
  const why = useId()
  const profile = account.view === 'loaded' ? account.profile : undefined
  const ownPlan = profile?.isVip === true ? profile.planType : undefined
  // A membership that nobody pays for: a plan can be bought beside it.
  const givenUntil = profile?.isVip === true && ownPlan === undefined ? profile.vipExpirationDate : null
  return (
    <div className="column plans accent-vip">
      <header className="plans-head">
        <p className="plans-brand" dir="auto">
          {brandName}
        </p>
        <h1>VIP LOUNGE</h1>
        <p>One membership opens the whole library. Pay by the month or by the year, and cancel whenever you like.</p>
      </header>
      <section className="plans-offer" aria-label="Plans">
        <PlanCards
          holder={{ ownPlan, isWaiting: checkout.isReady && account.view === 'waiting' }}
          checkout={checkout}
          portal={portal}
        />
        <Announced>
          {givenUntil === null ? null : (
            <Notice tone="calm">
              {`You are VIP until ${dayInWords(givenUntil)}, without a subscription. A plan that you buy now begins at once.`}
            </Notice>
          )}
        </Announced>
        <p className="plans-foot">
          <span>Paid by card on the pages of Stripe; this site never sees the card.</span>
          <span>After a cancellation the access stays until the paid period ends.</span>
          <span className="plans-sign-in">
            Already a member? <SignInLink />
          </span>
        </p>
        {isTest ? <p className="plans-test notice notice-calm">TEST MODE: no card is charged.</p> : null}
      </section>
      <section aria-labelledby={why}>
        <h2 id={why}>Why Choose VIP?</h2>
        <VipFeatures level={3} />
      </section>
      <PlanComparison />
      <div>
        <LegalSection id="terms" text={legalTexts.terms} />
        <LegalSection id="privacy" text={legalTexts.privacy} />
      </div>
    </div>
  )
}
