import { useFacts } from './use-facts.ts'
import './rehearsal-banner.css'

export function RehearsalBanner() {
  if (useFacts()?.isRehearsal !== true) return null
  return (
    <p className="rehearsal-banner" role="note">
      Rehearsal: this is a copy. It sends no email and takes no payment.
    </p>
  )
}
