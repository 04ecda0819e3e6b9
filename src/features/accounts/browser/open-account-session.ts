import { callApi, type Reply } from '../../../browser/api-client.ts'
import { openSession } from '../../../browser/session-store.ts'

/** The second factor: a code of an app or a recovery code, or a passkey's signature. */
export type ShownFactor = { code: string } | { passkey: Record<string, unknown> }

/**
 * Signs in and keeps the session in this browser.
 * @param factor for an account with a second factor, once the server has asked for it
 * @returns the server's answer; `ok` only when it brought a session
 * @throws {NetworkError}
 */
export async function openAccountSession(
  email: string,
  password: string,
  isRemembered: boolean,
  factor?: ShownFactor,
): Promise<Reply> {
  const reply = await callApi('/auth/login', {
    method: 'POST',
    body: { email, password, remember: isRemembered, ...factor },
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

/** Whether the password was right, and the server asks for the second factor now. */
export function isFactorAsked({ status, data }: Reply): boolean {
  return status === 401 && typeof data === 'object' && data !== null && 'code' in data && data.code === 'factor.needed'
}
