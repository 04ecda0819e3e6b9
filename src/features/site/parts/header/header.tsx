import { lazy, Suspense, useLayoutEffect } from 'react'
import { useSession } from '../../../../browser/session-store.ts'
import { signedInClass } from '../signed-in-class.ts'
import { VisitorHeader } from './visitor-header.tsx'
import './header.css'

/** Only members load it. Without a connection the plain header stays. */
const MemberHeader = lazy(() => import('./member-header.tsx').catch(() => ({ default: PlainMemberHeader })))
/** Loaded with the member's header: it is needed when there may be no connection. */
const SignOutNotice = lazy(() =>
  import('./member-header.tsx').then(
    (header) => ({ default: header.SignOutNotice }),
    () => ({ default: NoNotice }),
  ),
)

/**
 * The header of every page. Pages come from the server with the visitor's; members get their own as soon
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
