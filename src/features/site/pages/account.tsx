import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ButtonLink, TextLink } from '../../../ui/button.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { accountsOnAccountPage } from '../../accounts/account-sections.tsx'
import {
  type AccountPage,
  type AccountPageContribution,
  type AccountPageProps,
  securityPath,
} from '../../accounts/settings/account-page.ts'
import { Unreachable } from '../../accounts/parts/unreachable.tsx'
import { useAccount } from '../../accounts/parts/use-account.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { signOut } from '../../accounts/browser/sign-out.ts'
import { catalogueOnAccountPage } from '../../catalogue/account-sections.tsx'
import { membershipOnAccountPage } from '../../membership/account-sections.tsx'
import { requestsOnAccountPage } from '../../requests/account-sections.tsx'
import { requestsContext } from '../../requests/page-context.ts'
import { siteOnAccountPage } from '../account-sections.tsx'
import type { Route } from './+types/account.ts'
import '../../accounts/settings/account.css'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

export function loader({ context }: Route.LoaderArgs) {
  const { config, texts } = context.get(requestsContext)
  const { brandName, communityUrl, dmcaEmail } = texts.inForce
  const vipBenefits = texts.list('vip.benefits')
  return { brandName, communityUrl, dmcaEmail, isSold: !config.payments.isOff, vipBenefits }
}

type AccountPageFacts = Route.ComponentProps['loaderData']

const contributions: readonly AccountPageContribution<AccountPageFacts>[] = [
  accountsOnAccountPage,
  membershipOnAccountPage,
  catalogueOnAccountPage,
  requestsOnAccountPage,
  siteOnAccountPage,
]

const sections = contributions.flatMap((feature) => feature.sections).toSorted((a, b) => a.order - b.order)

const securityTitle = 'Security and data'

/** The module stands at two addresses (docs/spec/pages.md#account). */
function pageAt(pathname: string): AccountPage {
  return pathname.startsWith(securityPath) ? 'security' : 'account'
}

export function meta({ loaderData, location }: Route.MetaArgs) {
  const title = pageAt(location.pathname) === 'security' ? securityTitle : 'Your Account'
  return pageMeta({ title, brand: loaderData?.brandName ?? title, indexed: false })
}

export default function AccountRoute({ loaderData }: Route.ComponentProps) {
  const { account, tryAgain } = useAccount()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const page = pageAt(pathname)
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
              <div className="page-waiting">
                <Spinner />
              </div>
            ) : null}
            {account.view === 'unreachable' ? (
              <Unreachable title={noData} isFetching={account.isFetching} onTryAgain={tryAgain} />
            ) : null}
            {isSignedOut && !isWaiting ? <NobodyHere path={pathname} /> : null}
          </>
        ) : null}
      </div>
      {shown === undefined ? null : (
        <AccountView
          key={shown.email}
          page={page}
          profile={shown}
          facts={loaderData}
          onStale={tryAgain}
          onSignOut={onSignOut}
          onDeleted={() => setDeleted(shown)}
        />
      )}
      <p className="without-script page-waiting">This page needs JavaScript. Please allow it for this site.</p>
    </div>
  )
}

const noData = 'User not found or unable to fetch user data.'

function NobodyHere({ path }: { path: string }) {
  return (
    <StatePage
      drawing="shut"
      title="Sign in to see this page"
      steps={<ButtonLink look="solid" label="Sign in" to={`/login?next=${path}`} />}
    >
      <p>{noData}</p>
    </StatePage>
  )
}

function SecurityHead() {
  return (
    <header className="account-head">
      <p>
        <TextLink to="/account">Your Account</TextLink>
      </p>
      <h1>{securityTitle}</h1>
    </header>
  )
}

/** The sections of all features in their order, inside whatever each feature needs around them. */
function AccountView({
  page,
  ...given
}: Omit<AccountPageProps<AccountPageFacts>, 'deletion' | 'now'> & { page: AccountPage }) {
  const [now] = useState(() => Date.now())
  const about = { profile: given.profile, now }
  const deletion = {
    losses: contributions.map(({ feature, DeletionLosses }) =>
      DeletionLosses === undefined ? null : <DeletionLosses key={feature} {...about} />,
    ),
    notes: contributions.map(({ feature, DeletionNotes }) =>
      DeletionNotes === undefined ? null : <DeletionNotes key={feature} {...about} />,
    ),
  }
  const props = { ...given, now, deletion }
  const drawn = sections
    .filter((section) => (section.page ?? 'account') === page)
    .map(({ name, Section }) => <Section key={name} {...props} />)
  return (
    <div className="account">
      {page === 'security' ? <SecurityHead /> : null}
      {contributions.reduce<ReactNode>(
        // A feature on the right stands around those on its left, so that what it says of a deletion knows what it holds.
        (inner, { Provider }) => (Provider === undefined ? inner : <Provider {...props}>{inner}</Provider>),
        drawn,
      )}
    </div>
  )
}
