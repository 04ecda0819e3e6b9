import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { appContext } from '../../../platform/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { AccountPart } from '../../accounts/parts/account-part.tsx'
import { ChangePasswordDialog } from '../../accounts/parts/change-password-dialog.tsx'
import { DeleteAccountDialog } from '../../accounts/parts/delete-account-dialog.tsx'
import { DownloadMyData } from '../../accounts/parts/download-my-data.tsx'
import { ProfileCard } from '../../accounts/parts/profile-card.tsx'
import { SessionsList } from '../../accounts/parts/sessions-list.tsx'
import { Unreachable } from '../../accounts/parts/unreachable.tsx'
import { useAccount } from '../../accounts/parts/use-account.ts'
import { forgetSession, type Profile } from '../../accounts/session-store.ts'
import { signOut } from '../../accounts/sign-out.ts'
import { SubscriptionStatus } from '../parts/subscription-status.tsx'
import { useMembership } from '../parts/use-membership.ts'
import type { Route } from './+types/account.ts'
import '../../accounts/parts/account.css'

export function loader({ context }: Route.LoaderArgs) {
  const { brandName, communityUrl, dmcaEmail, clientApiKey } = context.get(appContext).config
  return { brandName, communityUrl, dmcaEmail, clientApiKey }
}

/** What the loader tells is the same for every address of this page. */
export function shouldRevalidate(): boolean {
  return false
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Your Account', brand: loaderData?.brandName ?? 'Your Account', indexed: false })
}

export default function AccountRoute({ loaderData }: Route.ComponentProps) {
  const { account, tryAgain } = useAccount()
  const navigate = useNavigate()
  const [isSigningOut, setIsSigningOut] = useState(false)
  /** Whose account is gone already, while the last word on it still stands. */
  const [deleted, setDeleted] = useState<Profile>()

  // Somebody has signed in meanwhile, in this tab or another.
  const isSignedOut = account.view === 'signed-out'
  useEffect(() => {
    if (!isSignedOut) setIsSigningOut(false)
  }, [isSignedOut])

  const onSignOut = (): void => {
    setIsSigningOut(true)
    void navigate('/')
    void signOut()
  }

  const shown = deleted ?? (account.view === 'loaded' ? account.profile : undefined)
  const isWaiting = account.view === 'waiting' || (isSignedOut && isSigningOut)
  return (
    <div className="column">
      {/* Always there, so that what takes the spinner's place is read out. */}
      <div className="with-script" aria-live="polite">
        {shown === undefined ? (
          <>
            {isWaiting ? (
              <div className="account-waiting">
                <Spinner />
              </div>
            ) : null}
            {account.view === 'unreachable' ? (
              <Unreachable title={noData} isAsking={account.isAsking} onTryAgain={tryAgain} />
            ) : null}
            {isSignedOut && !isWaiting ? <NobodyHere /> : null}
          </>
        ) : null}
      </div>
      {shown === undefined ? null : (
        <AccountView
          key={shown.email}
          profile={shown}
          site={loaderData}
          onStale={tryAgain}
          onSignOut={onSignOut}
          onDeleted={() => setDeleted(shown)}
        />
      )}
      <p className="without-script account-waiting">This page needs JavaScript to ask the server who you are.</p>
    </div>
  )
}

const noData = 'User not found or unable to fetch user data.'

function NobodyHere() {
  return (
    <StatePage
      drawing="shut"
      title={noData}
      steps={
        <Link className="button button-solid" to="/login?next=/account">
          Sign in
        </Link>
      }
    >
      <p>You are not signed in.</p>
    </StatePage>
  )
}

function AccountView({
  profile,
  site: { communityUrl, dmcaEmail, clientApiKey },
  onStale,
  onSignOut,
  onDeleted,
}: {
  profile: Profile
  site: Route.ComponentProps['loaderData']
  /** Called when the profile is known not to be true any more. */
  onStale: () => void
  onSignOut: () => void
  onDeleted: () => void
}) {
  const [dialog, setDialog] = useState<'password' | 'delete'>()
  const [passwordChanges, setPasswordChanges] = useState(0)
  const [now] = useState(() => Date.now())
  const known = useMembership(({ isVip }) => {
    if (isVip !== profile.isVip) onStale()
  })
  const close = (): void => setDialog(undefined)
  const changePassword = (
    <button type="button" className="button" aria-haspopup="dialog" onClick={() => setDialog('password')}>
      Change Password
    </button>
  )
  return (
    <div className="account">
      <ProfileCard profile={profile} />
      <SubscriptionStatus profile={profile} known={known} now={now} />
      <AccountPart title="Account Security">
        <p>A new password ends every session but this one, and you are told by mail.</p>
        <div className="account-steps">{changePassword}</div>
      </AccountPart>
      <SessionsList edition={passwordChanges} onSignOut={onSignOut} />
      <DownloadMyData />
      <AccountPart title="Contact & Support">
        <ul className="account-contacts">
          <li>
            Community:{' '}
            <a className="text-link" href={communityUrl} target="_blank" rel="noopener noreferrer">
              Discord
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          </li>
          <li>
            Copyright takedown:{' '}
            <a className="text-link" href={`mailto:${dmcaEmail}`}>
              {dmcaEmail}
            </a>
          </li>
        </ul>
      </AccountPart>
      <AccountPart title="Account Actions">
        <div className="account-steps">
          <button type="button" className="button" onClick={onSignOut}>
            Sign Out
          </button>
          {changePassword}
          <button
            type="button"
            className="button button-tint accent-banned"
            aria-haspopup="dialog"
            onClick={() => setDialog('delete')}
          >
            Delete Account
          </button>
        </div>
      </AccountPart>
      {dialog === 'password' ? (
        <ChangePasswordDialog
          email={profile.email}
          clientKey={clientApiKey}
          onChanged={() => setPasswordChanges((changes) => changes + 1)}
          onClose={close}
        />
      ) : null}
      {dialog === 'delete' ? (
        <DeleteAccountDialog
          profile={profile}
          hasSubscription={profile.planType !== undefined || known.membership?.canManage === true}
          now={now}
          clientKey={clientApiKey}
          onDeleted={onDeleted}
          onLeave={leaveForGood}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

/** PRODUCT.md, section 5, "Delete account": nothing stays in this browser, and a new page begins as for a stranger. */
function leaveForGood(): void {
  forgetSession()
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      window[name].clear()
    } catch {
      // What could not be written need not be cleared.
    }
  }
  window.location.replace('/')
}
