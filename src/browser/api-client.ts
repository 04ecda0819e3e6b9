import { siteClientKey } from './client-key.ts'
import { notifyChange } from './changes.ts'
import { goesWithDevice } from './device-calls.ts'
import { isUnattended } from './presence.ts'
import { askForProof, unproved, withProof } from './proof.ts'
import { clearToken, current, renewToken } from './session-store.ts'

/** The server's answer; `data` is the JSON, or undefined where there was none. */
export interface Reply {
  ok: boolean
  status: number
  data: unknown
  retryAfterMs?: number
  /** How many there are in all, where the answer is a part of a list (`x-total-count`). */
  total?: number
}

/** The schema of an answer; the Zod schema of a route is one. */
export interface AnswerSchema<T> {
  safeParse(data: unknown): { success: true; data: T } | { success: false; error: { issues: readonly unknown[] } }
}

/**
 * Why a call has brought nothing. `message` is one sentence for people.
 *
 * `network`: no answer came. `timeout`: none came in time. `refused`: the server said no. `unreadable`: the answer is
 * not of the shape that this page knows.
 */
export class ApiError extends Error {
  readonly kind: 'network' | 'timeout' | 'refused' | 'unreadable'
  readonly status: number | undefined
  readonly field: string | undefined
  readonly sentence: string | undefined
  readonly retryAfterMs: number | undefined
  /** The JSON of a refusal: further members say more, such as all reasons. */
  readonly data: unknown

  constructor(kind: ApiError['kind'], { reply, cause }: { reply?: Reply; cause?: unknown } = {}) {
    const sentence = kind === 'refused' && reply !== undefined ? sentenceOf(reply) : undefined
    super(sentence ?? (kind === 'network' || kind === 'timeout' ? networkSentence : usualSentence), { cause })
    this.name = 'ApiError'
    this.kind = kind
    this.sentence = sentence
    this.status = kind === 'refused' ? reply?.status : undefined
    this.field = kind === 'refused' && reply !== undefined ? fieldOf(reply) : undefined
    this.retryAfterMs = reply?.retryAfterMs
    this.data = kind === 'refused' ? reply?.data : undefined
  }
}

export class NetworkError extends ApiError {}

export const networkSentence = 'Network error. Please check your connection.'
export const usualSentence = 'An error occurred. Please try again.'

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: Record<string, unknown>
  /** A file in place of a body, sent as it is under its own media type. */
  file?: Blob
  adminKey?: string
  /** How long the answer may take, where it is longer than usual. */
  withinMs?: number
  /** A call that needs no session goes without the token: the server refuses a stale one even there. */
  isPublic?: boolean
  /** The token that the call is made with; without it, that of the session at this moment. */
  token?: string
  signal?: AbortSignal
  /** Arrives even when the page is closed or left while it is on its way. */
  outlivesPage?: boolean
  /** The answer holds a new token, under which the session goes on. */
  renewsToken?: boolean
  /** The answer may clear what the browser keeps of this site: a browser lets only a call with credentials do that. */
  clearsSiteData?: boolean
}

/** Files are sent by administrators alone, whose proof may be so old (docs/spec/accounts.md#proof). */
const fileProofMinutes = 60

/** Longer than any call of these pages takes; a call that hangs counts as a network failure. */
export const requestTimeoutMs = 20_000

/**
 * A call of the HTTP interface, with the bearer token if this browser has one. A token that the server rejects is
 * forgotten. If the server requires a fresh proof, the member is asked for it, and the call is repeated.
 * @throws {NetworkError} when no answer came
 */
export async function callApi(path: string, call: Call = {}): Promise<Reply> {
  const { isPublic = false, token = isPublic ? undefined : current().session?.token, signal } = call
  if (call.file !== undefined && token !== undefined && !(await isProofAtHand(token, signal)))
    return { ok: false, status: 403, data: unproved }
  return withProof(token, signal, () => send(path, { ...call, token }))
}

/**
 * Whether the proof is fresh enough for an upload that begins now: nobody should send a large file twice. Otherwise the
 * member is asked for a proof.
 * @throws {NetworkError} when no answer came
 */
export async function isProofAtHand(token: string, signal?: AbortSignal): Promise<boolean> {
  const { ok, data } = await send('/auth/proof', { token, ...(signal === undefined ? {} : { signal }) })
  const age = ok && typeof data === 'object' && data !== null && 'ageSeconds' in data ? data.ageSeconds : undefined
  // Without an answer now, the server decides when the file comes.
  if (typeof age !== 'number' || age < (fileProofMinutes - 1) * 60) return true
  return askForProof(token, { signal })
}

async function send(
  path: string,
  {
    method = 'GET',
    body,
    file,
    adminKey,
    withinMs = requestTimeoutMs,
    token,
    signal,
    outlivesPage = false,
    renewsToken = false,
    clearsSiteData = false,
  }: Omit<Call, 'token'> & { token: string | undefined },
): Promise<Reply> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) {
    headers['authorization'] = `Bearer ${token}`
    if (isUnattended()) headers['x-unattended'] = '1'
  }
  const clientKey = siteClientKey()
  if (clientKey !== undefined) headers['api-key'] = clientKey
  if (adminKey !== undefined) headers['admin-key'] = adminKey
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (file !== undefined) headers['content-type'] = file.type
  const timeout = AbortSignal.timeout(withinMs)
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      credentials: clearsSiteData || goesWithDevice(method, path) ? 'same-origin' : 'omit',
      keepalive: outlivesPage,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      ...(file === undefined ? {} : { body: file }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const data = parsed(await response.text())
    // First of all: nothing may be asked any more under the token of before.
    if (response.ok && renewsToken && token !== undefined) renewToken(token, tokenIn(data))
    if (response.ok && method !== 'GET') notifyChange(path)
    if (response.status === 401 && token !== undefined) clearToken(token)
    const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
    const total = Number.parseInt(response.headers.get('x-total-count') ?? '', 10)
    return {
      ok: response.ok,
      status: response.status,
      data,
      ...(Number.isNaN(seconds) ? {} : { retryAfterMs: seconds * 1_000 }),
      ...(Number.isNaN(total) ? {} : { total }),
    }
  } catch (cause) {
    throw new NetworkError(timeout.aborted ? 'timeout' : 'network', { cause })
  }
}

/**
 * The answer of a route, in the shape that its schema promises.
 * @throws {ApiError} for everything else that can come
 */
export async function request<T>(path: string, schema: AnswerSchema<T>, call: Call = {}): Promise<T> {
  return answerIn(path, schema, await callApi(path, call))
}

/** The same for a part of a list whose whole length stands in a header. */
export async function requestPart<T>(
  path: string,
  schema: AnswerSchema<T>,
  call: Call = {},
): Promise<{ part: T; total: number }> {
  const reply = await callApi(path, call)
  return { part: answerIn(path, schema, reply), total: reply.total ?? 0 }
}

function answerIn<T>(path: string, schema: AnswerSchema<T>, reply: Reply): T {
  if (!reply.ok) throw new ApiError('refused', { reply })
  const answer = schema.safeParse(reply.data)
  if (answer.success) return answer.data
  // Something between here and the server may answer in its place, with a page of its own: that is no defect of ours.
  if (reply.data !== undefined)
    console.error(`The answer of ${pathOf(path)} does not have its shape.`, answer.error.issues)
  throw new ApiError('unreadable')
}

/** The answer of a route that says nothing but that it is done. */
export const noAnswer: AnswerSchema<undefined> = { safeParse: () => ({ success: true, data: undefined }) }

export function sentenceOf({ data }: Reply): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { message, error } = data as { message?: unknown; error?: unknown }
  return [message, error].find((one): one is string => typeof one === 'string' && one !== '')
}

export function fieldOf({ data }: Reply): string | undefined {
  const field = typeof data === 'object' && data !== null ? (data as { field?: unknown }).field : undefined
  return typeof field === 'string' ? field : undefined
}

function tokenIn(data: unknown): string | undefined {
  const token = typeof data === 'object' && data !== null ? (data as { token?: unknown }).token : undefined
  return typeof token === 'string' ? token : undefined
}

/** A path without its query, which may hold what somebody has typed. */
function pathOf(path: string): string {
  return path.split('?', 1)[0] ?? ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
