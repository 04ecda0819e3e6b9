import { Link } from 'react-router'
import { membershipContext } from '../page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { PaymentState } from '../parts/plans/lounge-drawing.tsx'
import type { Route } from './+types/cancel.ts'
import '../parts/payment/payment-page.css'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

const tips = [
  { name: 'Try Again', sentence: 'The plans are where they were. Choose one whenever you like.' },
  {
    name: 'Check Details',
    sentence: 'If the card was refused, look at its number, its date and its limit, or take another one.',
  },
] as const

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(membershipContext).texts.inForce.brandName }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Payment Canceled', brand: loaderData?.brandName ?? 'Payment Canceled', indexed: false })
}

export default function Cancel() {
  return (
    <div className="column accent-vip">
      <PaymentState
        drawing="unpaid"
        title="Payment Canceled"
        steps={
          <>
            <Link className="button button-solid" to="/plans">
              Back to the Plans
            </Link>
            <Link className="button" to="/">
              Back to Homepage
            </Link>
          </>
        }
      >
        <p>Nothing was charged.</p>
        <dl className="payment-tips">
          {tips.map(({ name, sentence }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{sentence}</dd>
            </div>
          ))}
          <div>
            <dt>Contact Support</dt>
            <dd>
              Something went wrong?{' '}
              <Link className="text-link" to="/support">
                Write to us
              </Link>
              , and say what you saw.
            </dd>
          </div>
        </dl>
      </PaymentState>
    </div>
  )
}
