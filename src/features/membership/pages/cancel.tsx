import { ButtonLink, TextLink } from '../../../ui/button.tsx'
import { membershipContext } from '../page-context.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { PaymentState } from '../parts/plans/lounge-drawing.tsx'
import type { Route } from './+types/cancel.ts'
import '../parts/payment/payment-page.css'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

const tips = [
  { name: 'Try Again', sentence: 'Both plans are still there. Choose one whenever you like.' },
  {
    name: 'Check Details',
    sentence: 'If the card was refused, check its number, expiry date and limit, or use another one.',
  },
] as const

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(membershipContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Payment Canceled')

export default function Cancel() {
  return (
    <div className="column accent-vip">
      <PaymentState
        drawing="unpaid"
        title="Payment Canceled"
        steps={
          <>
            <ButtonLink look="solid" label="Back to the Plans" to="/plans" />
            <ButtonLink label="Back to Homepage" to="/" />
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
              Something went wrong? <TextLink to="/support">Write to us</TextLink>, and say what you saw.
            </dd>
          </div>
        </dl>
      </PaymentState>
    </div>
  )
}
