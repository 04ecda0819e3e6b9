import { Link } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import './access-denied.css'

/** What a membership would open. */
const features = ['Premium Content', 'Full Access', 'Priority Support']

/** A door that stays shut for this caller: why, and the ways on (PRODUCT.md, section 3, "Access denied"). */
export function AccessDenied({
  message = 'This content is exclusively available to VIP members.',
  signInPath,
}: {
  message?: string
  /** Where to sign in and come back from, for whoever has not. */
  signInPath?: string | undefined
}) {
  return (
    <StatePage
      drawing="shut"
      title="Access Denied"
      steps={
        <>
          <Link className="button button-solid" to="/plans">
            Become VIP
          </Link>
          <Link className="button" to="/">
            Back to Homepage
          </Link>
        </>
      }
      foot={
        signInPath === undefined ? undefined : (
          <p className="denied-sign-in">
            Already a member?{' '}
            <Link className="text-link" to={signInPath}>
              Sign in
            </Link>
          </p>
        )
      }
    >
      <p>{message}</p>
      <ul className="denied-features" aria-label="What VIP members have">
        {features.map((feature) => (
          <li key={feature}>
            <Icon name="check" size={16} />
            {feature}
          </li>
        ))}
      </ul>
    </StatePage>
  )
}
