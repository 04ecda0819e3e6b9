import { type ReactNode, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { pageMeta } from '../../../ui/page-meta.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { accountsOnAccountPage } from '../../accounts/account-sections.tsx'
import type { AccountPageContribution, AccountPageProps } from '../../accounts/settings/account-page.ts'
import { Unreachable } from '../../accounts/parts/unreachable.tsx'
import { useAccount } from '../../accounts/parts/use-account.ts'
import type { AccountForMember } from '../../accounts/account/account-schema.ts'
import { signOut } from '../../accounts/browser/sign-out.ts'
import { membershipOnAccountPage } from '../../membership/account-sections.tsx'
import { requestsOnAccountPage } from '../../requests/account-sections.tsx'
import { requestsContext } from '../../requests/page-context.ts'
import { siteOnAccountPage } from '../account-sections.tsx'
import type { Route } from './+types/account.ts'
import '../../accounts/settings/account.css'

export function loader({ context }: Route.LoaderArgs) {
  const { config, texts } = context.get(requestsContext)
  const { clientApiKey, payments } = config
  const { brandName, communityUrl, dmcaEmail } = texts.inForce
  const vipBenefits = texts.list('vip.benefits')
  return { brandName, communityUrl, dmcaEmail, clientApiKey, isSold: !payments.isOff, vipBenefits }
}

type AccountPageFacts = Route.ComponentProps['loaderData']

/** What every feature puts on this page, in the order of the row. */
const contributions: readonly AccountPageContribution<AccountPageFacts>[] = [
  accountsOnAccountPage,
  membershipOnAccountPage,
  requestsOnAccountPage,
  siteOnAccountPage,
]

const sections = contributions.flatMap((feature) => feature.sections).toSorted((a, b) => a.order - b.order)

/** The loader's data is the same for every address of this page. */
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
  /** The owner of an account that is already deleted, while the last message still shows. */
  const [deleted, setDeleted] = useState<AccountForMember>()

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
              <Unreachable title={noData} isFetching={account.isFetching} onTryAgain={tryAgain} />
            ) : null}
            {isSignedOut && !isWaiting ? <NobodyHere /> : null}
          </>
        ) : null}
      </div>
      {shown === undefined ? null : (
        <AccountView
          key={shown.email}
          profile={shown}
          facts={loaderData}
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

/** The sections of all features in their order, inside whatever each feature needs around them. */
function AccountView(page: Omit<AccountPageProps<AccountPageFacts>, 'deletion' | 'now'>) {
  const [now] = useState(() => Date.now())
  const about = { profile: page.profile, now }
  const deletion = {
    losses: contributions.map(({ feature, DeletionLosses }) =>
      DeletionLosses === undefined ? null : <DeletionLosses key={feature} {...about} />,
    ),
    notes: contributions.map(({ feature, DeletionNotes }) =>
      DeletionNotes === undefined ? null : <DeletionNotes key={feature} {...about} />,
    ),
  }
  const props = { ...page, now, deletion }
  const drawn = sections.map(({ name, Section }) => <Section key={name} {...props} />)
  return (
    <div className="account">
      {contributions.reduce<ReactNode>(
        // A feature on the right stands around those on its left, so that what it says of a deletion knows what it holds.
        (inner, { Provider }) => (Provider === undefined ? inner : <Provider {...props}>{inner}</Provider>),
        drawn,
      )}
    </div>
  )
}
