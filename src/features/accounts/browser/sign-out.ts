import { callApi, NetworkError } from '../../../browser/api-client.ts'
import { forgetDrafts } from '../../../browser/saved-draft.ts'
import { clearSession, storeUntoldSignOut } from '../../../browser/session-store.ts'

/** Somebody who signs out on another person's machine does not wait for a slow network. */
const timeoutMs = 5_000

/**
 * Signs out in all tabs of this browser at once, and ends the session on the server. Never fails: the token is gone
 * from here in any case.
 * @returns whether the session is over on the server too. Otherwise it ends with its lifetime, or from the list of
 * sessions on the account page; nobody holds its token any more.
 */
export async function signOut(): Promise<boolean> {
  // The call takes the token along before it is forgotten.
  const reported = callApi('/auth/logout', {
    method: 'POST',
    signal: AbortSignal.timeout(timeoutMs),
    outlivesPage: true,
    clearsSiteData: true,
  })
  clearSession()
  forgetDrafts()
  const isReported = await reported.then(
    ({ ok, status }) => ok || status === 401 || status === 404,
    (error: unknown) => {
      if (error instanceof NetworkError) return false
      throw error
    },
  )
  // The header says so, on whatever page the visitor is by then.
  if (!isReported) storeUntoldSignOut(true)
  return isReported
}
