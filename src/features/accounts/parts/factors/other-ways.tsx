import { Button } from '../../../../ui/button.tsx'
import './other-ways.css'

export type Way = 'password' | 'passkey' | 'totp' | 'recovery'

const labels: Readonly<Record<Way, string>> = {
  password: 'Use your password',
  passkey: 'Use your passkey',
  totp: 'Use your authenticator app',
  recovery: 'Use a recovery code',
}

/** The ways to show who you are beside the one that is asked for. */
export function OtherWays({
  ways,
  isBusy,
  onChoose,
}: {
  ways: readonly Way[]
  /** While an answer is on its way nothing is changed. */
  isBusy: boolean
  onChoose: (way: Way) => void
}) {
  if (ways.length === 0) return null
  return (
    <ul className="other-ways" aria-label="Other ways">
      {ways.map((way) => (
        <li key={way}>
          <Button look="link" label={labels[way]} isBusy={isBusy} onClick={() => onChoose(way)} />
        </li>
      ))}
    </ul>
  )
}
