import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Spinner } from '../../../ui/spinner.tsx'
import { checkAccess } from '../call-api.ts'
import { mayEnter, type RoleDoor } from '../may-enter.ts'
import { type SessionState, useSession } from '../session-store.ts'
import { AccessDenied } from './access-denied.tsx'
import { Unreachable } from './unreachable.tsx'

const messages: Record<RoleDoor, string> = {
  vip: 'You are not a VIP to access this page.',
  admin: 'You are not an administrator to access this page.',
}

/**
 * What a guarded page shows. A caller who could enter a moment ago goes on while he is asked for again, because what
 * stands in these pages comes from calls that the server guards; a refusal is never shown before it is fresh.
 */
export function viewFor(
  door: RoleDoor,
  { isSettled, session, access }: SessionState,
  isAnswered: boolean,
): 'waiting' | 'denied' | 'unreachable' | 'open' {
  if (!isSettled) return 'waiting'
  if (session === undefined) return 'denied'
  if (access.state === 'known' && mayEnter(door, access)) return 'open'
  // Kept while a further try is under way: nothing jumps, and the button keeps the focus.
  if (access.state === 'unreachable') return 'unreachable'
  return isAnswered ? 'denied' : 'waiting'
}

/**
 * The door of the pages for VIPs or administrators. Whoever comes to one of them is asked for anew, and an answer to an
 * earlier question is dropped. The server enforces the same on every call, whatever happens here.
 */
export function Guard({ door, children }: { door: RoleDoor; children: ReactNode }) {
  const state = useSession()
  const { pathname, search, hash } = useLocation()
  const navigation = useNavigation()
  const [attempt, setAttempt] = useState(0)
  const [answered, setAnswered] = useState<string>()
  const token = state.session?.token
  const question = token === undefined ? undefined : `${token} ${pathname} ${attempt}`

  useEffect(() => {
    if (question === undefined) return
    const overtaken = new AbortController()
    const ask = async (): Promise<void> => {
      await checkAccess(overtaken.signal)
      if (!overtaken.signal.aborted) setAnswered(question)
    }
    void ask()
    return () => {
      overtaken.abort()
      setAnswered(undefined)
    }
  }, [question])

  const tryAgain = useCallback(() => setAttempt((attempts) => attempts + 1), [])
  const seen = viewFor(door, state, question !== undefined && answered === question)
  // Whoever signs out is on his way home: no refusal flashes behind him.
  const isLeaving = token === undefined && (navigation.location?.pathname ?? pathname) !== pathname
  const view = isLeaving ? 'waiting' : seen

  useEffect(() => {
    if (view !== 'unreachable') return
    window.addEventListener('online', tryAgain)
    return () => window.removeEventListener('online', tryAgain)
  }, [view, tryAgain])

  if (view === 'open') return children
  return (
    <div className="column">
      {/* Always there, so that what takes the spinner's place is read out. */}
      <div className="with-script" aria-live="polite">
        {view === 'waiting' ? (
          <div className="guard-waiting">
            <Spinner />
          </div>
        ) : null}
        {view === 'denied' ? (
          <AccessDenied
            message={messages[door]}
            signInPath={token === undefined ? `/login?next=${encodeURIComponent(pathname + search + hash)}` : undefined}
          />
        ) : null}
        {view === 'unreachable' ? (
          <Unreachable
            title="Your access could not be checked"
            isAsking={answered !== question}
            onTryAgain={tryAgain}
          />
        ) : null}
      </div>
      <p className="without-script guard-waiting">This page needs JavaScript to ask the server who you are.</p>
    </div>
  )
}
