import type { ReactNode } from 'react'
import { useNavigate, useRouteLoaderData } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import type { GuardedAccess } from '../../office/viewer/can-access.ts'
import { usePageTitle } from '../../../browser/page-title.ts'
import { signOut } from '../browser/sign-out.ts'
import './access-denied.css'

const features = ['Premium Content', 'Full Access', 'Priority Support']

/**
 * A page that this caller may not enter: why, and the ways on (docs/spec/pages.md#access-denied).
 * @param signInPath where to sign in and come back from
 */
export function AccessDenied({
  access,
  isSignedIn,
  signInPath,
}: {
  access: GuardedAccess
  isSignedIn: boolean
  signInPath: string
}) {
  return access === 'vip' ? (
    <NotVip isSignedIn={isSignedIn} signInPath={signInPath} />
  ) : (
    <NotAdministrator isSignedIn={isSignedIn} signInPath={signInPath} />
  )
}

function NotVip({ isSignedIn, signInPath }: { isSignedIn: boolean; signInPath: string }) {
  const facts = useRouteLoaderData<{ accessDeniedMessage: string }>('root')
  return (
    <Denied
      isSignedIn={isSignedIn}
      message="You are not a VIP to access this page."
      first={
        <>
          {isSignedIn ? null : <ButtonLink look="solid" label="Sign in" to={signInPath} />}
          <ButtonLink {...(isSignedIn ? { look: 'solid' } : {})} label="Become VIP" to="/plans" />
        </>
      }
    >
      <p>{facts?.accessDeniedMessage}</p>
      <ul className="denied-features" aria-label="What VIP members have">
        {features.map((feature) => (
          <li key={feature}>
            <Icon name="check" size={16} />
            {feature}
          </li>
        ))}
      </ul>
    </Denied>
  )
}

/** A membership opens nothing here: the way on is another account. */
function NotAdministrator({ isSignedIn, signInPath }: { isSignedIn: boolean; signInPath: string }) {
  const navigate = useNavigate()
  const changeAccount = (): void => {
    void navigate(signInPath)
    void signOut()
  }
  return (
    <Denied
      isSignedIn={isSignedIn}
      message="You are not an administrator to access this page."
      first={
        isSignedIn ? (
          <Button look="solid" label="Sign in with another account" onClick={changeAccount} />
        ) : (
          <ButtonLink look="solid" label="Sign in" to={signInPath} />
        )
      }
    />
  )
}

function Denied({
  isSignedIn,
  message,
  first,
  children,
}: {
  isSignedIn: boolean
  message: string
  first: ReactNode
  children?: ReactNode
}) {
  const title = isSignedIn ? 'Access Denied' : 'Sign in to see this page'
  usePageTitle(title)
  return (
    <StatePage
      drawing="shut"
      title={title}
      steps={
        <>
          {first}
          <ButtonLink label="Back to Homepage" to="/" />
        </>
      }
    >
      <p>{message}</p>
      {children}
    </StatePage>
  )
}
