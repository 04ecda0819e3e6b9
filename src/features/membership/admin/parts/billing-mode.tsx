import { Badge } from '../../../../ui/badge.tsx'
import type { PaymentMode } from '../billing-schema.ts'

/** Says where no real money moves, and where none at all. */
export function BillingMode({ isSandbox, isLive, isOff = false }: PaymentMode) {
  if (isLive) return null
  if (isOff) {
    return (
      <span className="billing-aside">Payments are off: nothing is sold, and nothing is compared with Stripe.</span>
    )
  }
  return (
    <span className="accent-vip">
      <Badge>TEST MODE</Badge>{' '}
      <span className="billing-aside">
        {isSandbox ? 'The built-in sandbox answers: no card is charged.' : 'These are test keys: no card is charged.'}
      </span>
    </span>
  )
}
