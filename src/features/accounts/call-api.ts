import { current, forgetToken, noteAccess, type Profile } from './session-store.ts'

/** What the server answered; `data` is the JSON, or undefined where there was none. */
export interface Reply {
  ok: boolean
  status: number
  data: unknown
}

/** The server could not be reached. */
export class NetworkError extends Error {}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: Record<string, unknown>
  /** The site's public client key, for calls that PRODUCT.md, section 7, marks "key". */
  clientKey?: string
  /** A call that needs no session goes without the token: the server refuses a stale one even there. */
  isPublic?: boolean
  signal?: AbortSignal
  /** Arrives even when the page is closed or left while it is on its way. */
  outlivesPage?: boolean
}

/** Longer than any call of these pages takes; what hangs is told as a network failure. */
const timeoutMs = 20_000

/**
 * A call of the HTTP interface, with the bearer token where this browser has one. A token that the server rejects is
 * forgotten.
 * @throws {NetworkError} when no answer came
 */
export async function callApi(
  path: string,
  { method = 'GET', body, clientKey, isPublic = false, signal, outlivesPage = false }: Call = {},
): Promise<Reply> {
  const token = isPublic ? undefined : current().session?.token
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (clientKey !== undefined) headers['api-key'] = clientKey
  if (body !== undefined) headers['content-type'] = 'application/json'
  const patience = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      credentials: 'omit',
      keepalive: outlivesPage,
      signal: signal === undefined ? patience : AbortSignal.any([patience, signal]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 401 && token !== undefined) forgetToken(token)
    return { ok: response.ok, status: response.status, data: parsed(text) }
  } catch (cause) {
    throw new NetworkError('No answer came.', { cause })
  }
}

/** The server's sentence about a failure: `message`, else `error`. */
export function sentenceOf({ data }: Reply): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { message, error } = data as { message?: unknown; error?: unknown }
  return [message, error].find((one): one is string => typeof one === 'string' && one !== '')
}

/** The form field that the server's sentence is about. */
export function fieldOf({ data }: Reply): string | undefined {
  const field = typeof data === 'object' && data !== null ? (data as { field?: unknown }).field : undefined
  return typeof field === 'string' ? field : undefined
}

const dashboardPath = '/auth/dashboard'

/**
 * Asks for the caller's roles and notes them (PRODUCT.md, section 5, "Access check"): a rejected token is removed, a
 * failure of the network is not a rejection.
 */
export async function checkAccess(signal?: AbortSignal): Promise<void> {
  await ask('/auth/status', signal)
}

/**
 * The caller's profile; his roles are noted on the way.
 * @returns undefined when there is no session, when it was rejected, and when the server could not be asked
 */
export async function loadProfile(signal?: AbortSignal): Promise<Profile | undefined> {
  return (await ask(dashboardPath, signal)) as Profile | undefined
}

async function ask(path: string, signal: AbortSignal | undefined): Promise<unknown> {
  const token = current().session?.token
  if (token === undefined) return undefined
  const failed = { state: 'unreachable', isVip: false, isAdmin: false } as const
  // A profile that does not come takes nothing back of what an access check has learned.
  const noteFailure = (): void => {
    if (path !== dashboardPath || current().access.state === 'unknown') noteAccess(token, failed)
  }
  try {
    const { ok, data } = await callApi(path, signal === undefined ? {} : { signal })
    // Something between here and the server may answer in its place, with a page of its own.
    if (!ok || typeof data !== 'object' || data === null) {
      noteFailure()
      return undefined
    }
    const { isVip, isAdmin } = data as { isVip?: unknown; isAdmin?: unknown }
    noteAccess(token, { state: 'known', isVip: isVip === true, isAdmin: isAdmin === true })
    return data
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    if (signal?.aborted !== true) noteFailure()
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
