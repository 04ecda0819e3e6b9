import { useCallback, useEffect, useState } from 'react'
import { loadProfile } from '../call-api.ts'
import { type Profile, useSession } from '../session-store.ts'

type Account =
  | { view: 'waiting' }
  | { view: 'loaded'; profile: Profile }
  | { view: 'signed-out' }
  /** The server could not be asked; `isAsking` while a further try is under way. */
  | { view: 'unreachable'; isAsking: boolean }

/** The profile of whoever has signed in, alive: another session, or none, changes it at once. */
export function useAccount(): { account: Account; tryAgain: () => void } {
  const { isSettled, session } = useSession()
  const token = session?.token
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState<{ token: string; attempt: number; profile: Profile | undefined }>()

  useEffect(() => {
    if (token === undefined) return
    const overtaken = new AbortController()
    const ask = async (): Promise<void> => {
      const profile = await loadProfile(overtaken.signal)
      if (!overtaken.signal.aborted) setAnswer({ token, attempt, profile })
    }
    void ask()
    return () => overtaken.abort()
  }, [token, attempt])

  const tryAgain = useCallback(() => setAttempt((attempts) => attempts + 1), [])
  const account = viewOf()

  useEffect(() => {
    if (account.view !== 'unreachable') return
    window.addEventListener('online', tryAgain)
    return () => window.removeEventListener('online', tryAgain)
  }, [account.view, tryAgain])

  return { account, tryAgain }

  function viewOf(): Account {
    if (!isSettled) return { view: 'waiting' }
    if (token === undefined) return { view: 'signed-out' }
    if (answer?.token !== token) return { view: 'waiting' }
    if (answer.profile !== undefined) return { view: 'loaded', profile: answer.profile }
    return { view: 'unreachable', isAsking: answer.attempt !== attempt }
  }
}
