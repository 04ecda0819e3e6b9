import { lazy, Suspense, useLayoutEffect } from 'react'
import { useSession } from '../../accounts/session-store.ts'
import { signedInClass } from './signed-in-class.ts'
import { VisitorHeader } from './visitor-header.tsx'
import './header.css'

/** Only who has signed in loads it. Without a connection the plain header has to do. */
const MemberHeader = lazy(() => import('./member-header.tsx').catch(() => ({ default: PlainMemberHeader })))
/** Comes with the header of whoever signs out: it is wanted when there may be no connection. */
const SignOutNotice = lazy(() =>
  import('./member-header.tsx').then(
    (header) => ({ default: header.SignOutNotice }),
    () => ({ default: NoNotice }),
  ),
)

/**
 * The header of every page. Pages come from the server with the visitor's; whoever has signed in gets his own as soon
 * as the browser has looked into its storage.
 */
export function Header() {
  const { isSettled, session, isSignOutUntold = false } = useSession()
  const isSignedIn = session !== undefined

  useLayoutEffect(() => {
    if (isSettled) document.body.classList.toggle(signedInClass, isSignedIn)
  }, [isSettled, isSignedIn])

  return (
    <>
      {isSignedIn ? (
        <Suspense fallback={<VisitorHeader />}>
          <MemberHeader />
        </Suspense>
      ) : (
        <VisitorHeader />
      )}
      {isSignOutUntold ? (
        <Suspense>
          <SignOutNotice />
        </Suspense>
      ) : null}
    </>
  )
}

function PlainMemberHeader() {
  return <VisitorHeader isMember />
}

function NoNotice() {
  return <></>
}
