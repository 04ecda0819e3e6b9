import { lazy, Suspense, useLayoutEffect } from 'react'
import { useSession } from '../../accounts/session-store.ts'
import { signedInClass } from './signed-in-class.ts'
import { SignOutNotice } from './sign-out-notice.tsx'
import { VisitorHeader } from './visitor-header.tsx'
import './header.css'

/** Only who has signed in loads it. Without a connection the plain header has to do. */
const MemberHeader = lazy(() => import('./member-header.tsx').catch(() => ({ default: PlainMemberHeader })))
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
      {isSignOutUntold ? <SignOutNotice /> : null}
    </>
  )
}

function PlainMemberHeader() {
  return <VisitorHeader isMember />
}
