import { callApi, type Reply } from '../../../../browser/api-client.ts'
import { storeAccess } from '../../../../browser/session-store.ts'

/**
 * A call that is for VIPs and administrators. A 403 means that the access has ended: it clears the flags, and the guard
 * around the page shows the access-denied view. A rejected token (401) ends the session.
 * @throws {NetworkError} when no answer came
 */
export async function callAsVip(path: string, call: { token: string; signal: AbortSignal }): Promise<Reply> {
  const reply = await callApi(path, call)
  if (reply.status === 403) storeAccess(call.token, { state: 'known', isVip: false, isAdmin: false })
  return reply
}
