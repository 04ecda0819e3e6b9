import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Spinner } from '../../../ui/spinner.tsx'
import { useDeclaredTitle, usePageTitle } from '../../../browser/page-title.ts'
import { useApiQuery } from '../../../browser/queries.ts'
import { rolesOpen, type GuardedAccess } from '../../office/viewer/can-access.ts'
import { type SessionState, useSession, current } from '../../../browser/session-store.ts'
import { fetchAccess, storeUnreachable } from '../../office/viewer/load-profile.ts'
import { AccessDenied } from './access-denied.tsx'
import { Unreachable } from './unreachable.tsx'
import { wayTo } from './auth-links.ts'
import { ApiError } from '../../../browser/api-client.ts'
import { watchPresence } from '../../../browser/presence.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import { twoStepPath, type TwoStepState } from './factors/two-step-link.ts'

/**
 * The view of a guarded page. A caller with recent access continues while it is checked again, because the server
 * guards every call of these pages; a refusal is never shown before it is fresh.
 */
export function viewFor(
  required: GuardedAccess,
  { isSettled, session, access }: SessionState,
  isAnswered: boolean,
): 'waiting' | 'denied' | 'factor' | 'unreachable' | 'open' {
  if (!isSettled) return 'waiting'
  if (session === undefined) return 'denied'
  if (access.state === 'known' && rolesOpen(required, access)) return 'open'
  // Kept while a further try is under way: nothing jumps, and the button keeps the focus.
  if (access.state === 'unreachable') return 'unreachable'
  if (!isAnswered) return 'waiting'
  return access.needsSecondFactor === true ? 'factor' : 'denied'
}

/**
 * Guards the pages for VIPs or administrators. Access is checked anew at every entry, and the answer to an earlier
 * check is dropped. The server enforces the same on every call, whatever happens here.
 */
export function Guard({ access, children }: { access: GuardedAccess; children: ReactNode }) {
  const state = useSession()
  const { pathname, search, hash } = useLocation()
  const navigation = useNavigation()
  const token = state.session?.token
  const { data, error, isFetching, refetch } = useApiQuery({
    path: '/auth/status',
    occasion: pathname,
    fetch: fetchAccess,
    // A refusal says at once why, and is tried again by the visitor, or when the connection comes back.
    retry: () => false,
    isForgotten: true,
  })

  useEffect(() => {
    if (error !== undefined && !isFetching && token !== undefined) storeUnreachable(token)
  }, [error, isFetching, token])

  const seen = viewFor(access, state, data !== undefined && !isFetching)
  // A member who signs out is on the way to the home page: no refusal flashes.
  const isLeaving = token === undefined && (navigation.location?.pathname ?? pathname) !== pathname
  const view = isLeaving ? 'waiting' : seen

  useHiddenWhileAway(view === 'open', refetch)
  usePresence(access === 'admin' && view === 'open')

  if (view === 'open') {
    return (
      <>
        <DeclaredTitle />
        {children}
      </>
    )
  }
  return (
    <div className="column">
      {/* Always there, so that what takes the spinner's place is read out. */}
      <div className="with-script" aria-live="polite">
        {view === 'waiting' ? (
          <div className="page-waiting">
            <Spinner />
          </div>
        ) : null}
        {view === 'denied' ? (
          <AccessDenied
            access={access}
            isSignedIn={token !== undefined}
            signInPath={wayTo('/login', pathname + search + hash)}
          />
        ) : null}
        {view === 'factor' ? <FactorNeeded backTo={pathname + search + hash} /> : null}
        {view === 'unreachable' ? (
          <Unreachable title="Your access could not be checked" isFetching={isFetching} onTryAgain={refetch} />
        ) : null}
      </div>
      <p className="without-script page-waiting">This page needs JavaScript. Please allow it for this site.</p>
    </div>
  )
}

/**
 * A browser may freeze a page that is left, and show it again on the way back. Guarded content is hidden until the
 * session is read and its access is checked again.
 */
function useHiddenWhileAway(isOpen: boolean, checkAgain: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const { style } = document.documentElement
    const leave = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) style.visibility = 'hidden'
    }
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return
      style.visibility = ''
      checkAgain()
    }
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    return () => {
      style.visibility = ''
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
    }
  }, [isOpen, checkAgain])
}

/** Stands before the page, which may say its title more exactly. */
function DeclaredTitle() {
  useDeclaredTitle()
  return null
}

/** An administrator's session ends after 30 minutes without use: writing a long text is use. */
const everyMs = 5 * 60_000

/** While it is on, the server hears of people who write or read on a page without calls. */
function usePresence(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    return watchPresence(() => void send(), everyMs)
  }, [isOn])
}

async function send(): Promise<void> {
  const token = current().session?.token
  if (token === undefined) return
  try {
    await fetchAccess(token)
  } catch (error) {
    // No word of it: nobody has asked for anything.
    if (!(error instanceof ApiError)) throw error
  }
}

const title = 'Set up two-step sign-in'

/**
 * In place of a page of the administration, for an administrator without a second factor on a site that asks for one.
 * @param backTo the page that they wanted, where they go on afterwards
 */
function FactorNeeded({ backTo }: { backTo: string }) {
  usePageTitle(title)
  return (
    <StatePage
      drawing="shut"
      title={title}
      steps={
        <>
          <ButtonLink look="solid" label="Set it up" to={twoStepPath} state={{ backTo } satisfies TwoStepState} />
          <ButtonLink label="Back to Homepage" to="/" />
        </>
      }
    >
      <p>
        Administrators of this site sign in with a second step, so a stolen password is not enough. Setting it up takes
        about a minute; you'll be brought back here.
      </p>
    </StatePage>
  )
}
