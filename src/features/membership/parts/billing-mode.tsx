import { Badge } from '../../../ui/badge.tsx'

/** Says where no real money moves. */
export function BillingMode({ isSandbox, isLive }: { isSandbox: boolean; isLive: boolean }) {
  if (isLive) return null
  return (
    <span className="accent-vip">
      <Badge>TEST MODE</Badge>{' '}
      <span className="billing-aside">
        {isSandbox ? 'The built-in sandbox answers: no card is charged.' : 'These are test keys: no card is charged.'}
      </span>
    </span>
  )
}
