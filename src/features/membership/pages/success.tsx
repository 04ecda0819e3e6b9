import type { ReactNode } from 'react'
import { Link, useLoaderData, useLocation } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { membershipContext } from '../page-context.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import { RetryButton } from '../../../ui/retry-button.tsx'
import { Unreachable } from '../../accounts/parts/unreachable.tsx'
import { wayTo } from '../../accounts/parts/auth-links.ts'
import { usePageTitle } from '../../../browser/page-title.ts'
import { useSession } from '../../../browser/session-store.ts'
import { PaymentState } from '../parts/plans/lounge-drawing.tsx'
import { useMembership } from '../parts/account/use-membership.ts'
import { type PaymentView, usePayment } from '../parts/payment/use-payment.ts'
import { VipFeatures } from '../parts/plans/vip-features.tsx'
import type { Route } from './+types/success.ts'
import '../parts/payment/payment-page.css'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

export function loader({ context }: Route.LoaderArgs) {
  const { texts } = context.get(membershipContext)
  return { brandName: texts.inForce.brandName, reasons: texts.table('plans.reasons') }
}

/** Until it is known what there is to say. */
export const meta = unindexedMeta('Your payment')

/**
 * The return page after a payment. A visit proves nothing (docs/spec/billing.md#success-page): the page is a shell, and
 * its call answers only the payer's session.
 */
export default function Success() {
  const { isSettled, session } = useSession()
  const { search } = useLocation()
  const isHydrated = useIsHydrated()
  const paymentId = new URLSearchParams(search).get('session_id')
  const isKnown = isHydrated && isSettled
  return (
    <div className="column accent-vip">
      {/* Always there, so that what takes the spinner's place is read out. */}
      <div className="with-script" aria-live="polite">
        {isKnown ? null : <Waiting />}
        {isKnown && session === undefined ? <SignInFirst next={`/success${search}`} /> : null}
        {isKnown && session !== undefined ? (
          paymentId === null || paymentId === '' ? (
            <WithoutPayment key={session.token} />
          ) : (
            <Payment key={`${session.token} ${paymentId}`} paymentId={paymentId} />
          )
        ) : null}
      </div>
      <p className="without-script page-waiting">
        This page needs JavaScript to ask the server about your payment. It also stands in your account.
      </p>
    </div>
  )
}

function Waiting() {
  return (
    <div className="page-waiting">
      <Spinner />
    </div>
  )
}

function SignInFirst({ next }: { next: string }) {
  const title = 'Sign in to see your membership'
  usePageTitle(title)
  return (
    <StatePage
      drawing="shut"
      title={title}
      steps={
        <>
          <ButtonLink look="solid" label="Sign in" to={wayTo('/login', next)} />
          <BackHome />
        </>
      }
    >
      <p>Sign in with the account you paid from. Your payment is recorded there.</p>
    </StatePage>
  )
}

const titles: Record<PaymentView, string> = {
  confirming: 'Confirming your payment',
  late: 'The confirmation takes longer than usual',
  active: 'Welcome to VIP Access!',
  failed: 'This payment gives no membership',
  unknown: 'This payment was not found in your account.',
  unreachable: 'Your payment could not be looked up',
}

function Payment({ paymentId }: { paymentId: string }) {
  const { view, isFetching, tryAgain } = usePayment(paymentId)
  const title = titles[view]
  usePageTitle(title)
  switch (view) {
    case 'confirming':
      return (
        <PaymentState drawing="confirming" title={title}>
          <p>This takes a few seconds. You can stay here, or go on reading: the membership begins by itself.</p>
          <p className="payment-asking">
            <Spinner label="Confirming..." />
            <span aria-hidden="true">Confirming...</span>
          </p>
        </PaymentState>
      )
    case 'late':
      return (
        <PaymentState
          drawing="confirming"
          title={title}
          steps={
            <>
              <RetryButton
                label="Look again"
                labelWhileFetching="Looking..."
                isFetching={isFetching}
                onRetry={tryAgain}
              />
              <BackHome />
            </>
          }
        >
          <p>Nothing is lost: as soon as the payment is confirmed the membership begins, and you get a mail.</p>
        </PaymentState>
      )
    case 'active':
      return <Welcome title={title} />
    case 'failed':
      return (
        <PaymentState
          drawing="unpaid"
          title={title}
          steps={
            <>
              <ButtonLink look="solid" label="Try again" to="/plans" />
              <ToAccount />
            </>
          }
        >
          <p>It was not completed, and nothing was charged; or the membership that it began has ended since.</p>
        </PaymentState>
      )
    case 'unknown':
      return (
        <StatePage
          drawing="missing"
          title={title}
          steps={
            <>
              <ToAccount isFirst />
              <BackHome />
            </>
          }
        >
          <p>Was it paid from another account? Sign in with that one, and open this page again.</p>
        </StatePage>
      )
    case 'unreachable':
      return <Unreachable title={title} isFetching={isFetching} onTryAgain={tryAgain} />
  }
}

function Welcome({ title }: { title: string }) {
  const { reasons } = useLoaderData<typeof loader>()
  return (
    <>
      <PaymentState
        drawing="welcome"
        title={title}
        steps={
          <>
            <ButtonLink look="solid" label="VIP Content" to="/vip" />
            <BackHome />
          </>
        }
      >
        <p>Your membership has begun. You get a receipt by email, and you can see your renewal date in your account.</p>
      </PaymentState>
      <div className="payment-features">
        <VipFeatures reasons={reasons} level={2} />
      </div>
    </>
  )
}

/** For a member who comes without a payment: the state of their membership. */
function WithoutPayment() {
  const { membership, hasFailed, isFetching, tryAgain } = useMembership()
  const failure = 'Your membership could not be looked up'
  const state = membership?.isVip === true ? 'You are VIP' : 'No membership is in force'
  usePageTitle(membership === undefined ? (hasFailed ? failure : undefined) : state)
  if (membership === undefined) {
    return hasFailed ? <Unreachable title={failure} isFetching={isFetching} onTryAgain={tryAgain} /> : <Waiting />
  }
  if (membership.isVip) {
    return (
      <PaymentState
        drawing="welcome"
        title={state}
        steps={
          <>
            <ButtonLink look="solid" label="VIP Content" to="/vip" />
            <ToAccount />
            <BackHome />
          </>
        }
      >
        <p>{membership.sentence}</p>
      </PaymentState>
    )
  }
  return (
    <StatePage
      drawing="shut"
      title={state}
      steps={
        <>
          <ButtonLink look="solid" label="See the Plans" to="/plans" />
          <ToAccount />
          <BackHome />
        </>
      }
    >
      <p>{membership.sentence}</p>
    </StatePage>
  )
}

function BackHome(): ReactNode {
  return <ButtonLink label="Back to Homepage" to="/" />
}

function ToAccount({ isFirst = false }: { isFirst?: boolean }): ReactNode {
  return (
    <Link className={isFirst ? 'button button-solid' : 'button'} to="/account">
      Your Account
    </Link>
  )
}
