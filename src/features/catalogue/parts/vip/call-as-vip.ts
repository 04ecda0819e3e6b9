import { callApi, type Reply } from '../../../../browser/api-client.ts'
import { noteAccess } from '../../../../browser/session-store.ts'

/**
 * A call that is for VIPs alone. A refusal says that the access has ended, which the guard around the page shows at once:
 * it stands in the way of administrators as little as of VIPs. A rejected token (401) ends the session.
 * @throws {NetworkError} when no answer came
 */
export async function callAsVip(
  path: string,
  call: { token: string; clientKey: string; signal: AbortSignal },
): Promise<Reply> {
  const reply = await callApi(path, call)
  if (reply.status === 403) noteAccess(call.token, { state: 'known', isVip: false, isAdmin: false })
  return reply
}
