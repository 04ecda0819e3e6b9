import { callApi, type Reply } from '../../../browser/api-client.ts'
import { openSession } from '../../../browser/session-store.ts'

/**
 * Signs in and keeps the session in this browser.
 * @returns the server's answer; `ok` only when it brought a session
 * @throws {NetworkError}
 */
export async function openAccountSession(email: string, password: string, isRemembered: boolean): Promise<Reply> {
  const reply = await callApi('/auth/login', {
    method: 'POST',
    body: { email, password, remember: isRemembered },
    isPublic: true,
  })
  const { token, name, email: written } = (reply.data ?? {}) as Record<string, unknown>
  if (!reply.ok) return reply
  if (typeof token !== 'string' || typeof name !== 'string' || typeof written !== 'string') {
    return { ...reply, ok: false }
  }
  openSession({ token, name, email: written }, isRemembered)
  return reply
}
