import { useEffect, useState } from 'react'
import { ApiError } from '../../../browser/api-client.ts'
import { useSession } from '../../../browser/session-store.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { useKnownProfile } from '../../office/viewer/known-profile.ts'

/**
 * The profile of a visitor who may have signed in, for a public page: it is asked for when the page opens, which is also
 * the check of the stored token, and what asks comes with a script of its own that visitors do not load.
 */
export function useProfile(): { profile: AccountForMember | undefined; isWaiting: boolean } {
  const { isSettled, session } = useSession()
  const profile = useKnownProfile()
  const token = session?.token
  const [answered, setAnswered] = useState<string>()

  useEffect(() => {
    if (token === undefined) return
    let isLeft = false
    const request = async (): Promise<void> => {
      try {
        const { loadProfile } = await import('../../office/viewer/load-profile.ts')
        await loadProfile(token)
      } catch (error) {
        // The page stands without it, also without the script that asks.
        if (!(error instanceof ApiError || error instanceof TypeError)) throw error
      } finally {
        if (!isLeft) setAnswered(token)
      }
    }
    const retry = (): void => void request()
    void request()
    window.addEventListener('online', retry)
    return () => {
      isLeft = true
      window.removeEventListener('online', retry)
    }
  }, [token])

  const isKnown = profile !== undefined || answered === token
  return { profile, isWaiting: !isSettled || (token !== undefined && !isKnown) }
}
