import { lazy, Suspense, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../../../../browser/session-store.ts'
import { signedInClass } from '../signed-in-class.ts'
import { isOnShelf } from '../../section.ts'
import { VisitorHeader } from './visitor-header.tsx'
import type { HeaderParts } from './header-frame.tsx'
import './header.css'

/** In no page's first scripts: its links work without, and its counts come later anyway. */
const ShelfNav = lazy(() => import('./shelf-nav.tsx').catch(() => ({ default: NoNotice })))
/** One element for all renderings: React draws a part anew whose parent is drawn again before the part's script has come. */
const shelfNav = (
  <div className="column shelves">
    <Suspense>
      <ShelfNav />
    </Suspense>
  </div>
)
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

  const { pathname } = useLocation()
  const shelves = isOnShelf(pathname) ? shelfNav : null
  return (
    <>
      {isSignedIn ? (
        <Suspense fallback={<VisitorHeader shelves={shelves} />}>
          <MemberHeader shelves={shelves} />
        </Suspense>
      ) : (
        <VisitorHeader shelves={shelves} />
      )}
      {isSignOutUntold ? (
        <Suspense>
          <SignOutNotice />
        </Suspense>
      ) : null}
    </>
  )
}

function PlainMemberHeader(props: HeaderParts) {
  return <VisitorHeader {...props} isMember />
}

function NoNotice() {
  return <></>
}
