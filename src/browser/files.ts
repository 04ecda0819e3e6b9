import { type AnswerSchema, ApiError, NetworkError } from './api-client.ts'
import { clearToken, current } from './session-store.ts'

/*
 * Files that go up and come down with the bearer token. They may take as long as they need: nothing calls them off but the
 * page that is left.
 */

/** Hands a file to the browser's downloads. A link cannot carry the token: it leads to what was fetched. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * Fetches a file and hands it to the browser's downloads.
 * @returns its name: what the server calls it, else this one
 * @throws {ApiError}
 */
export async function downloadFile(path: string, otherwise: string): Promise<string> {
  const response = await send(path, {})
  if (!response.ok) throw await refusal(response)
  const called = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const name = called ?? otherwise
  try {
    saveFile(name, await response.blob())
  } catch (cause) {
    // It broke off on its way.
    throw new NetworkError('network', { cause })
  }
  return name
}

/**
 * Sends a file as it is.
 * @throws {ApiError}
 */
export async function uploadFile<T>(path: string, file: Blob, schema: AnswerSchema<T>): Promise<T> {
  const response = await send(path, { method: 'POST', body: file })
  if (!response.ok) throw await refusal(response)
  const answer = schema.safeParse(await response.json().catch(() => undefined))
  if (!answer.success) throw new ApiError('unreadable')
  return answer.data
}

async function send(path: string, request: RequestInit): Promise<Response> {
  const token = current().session?.token
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  try {
    const response = await fetch(path, { ...request, headers, cache: 'no-store', credentials: 'omit' })
    if (response.status === 401 && token !== undefined) clearToken(token)
    return response
  } catch (cause) {
    throw new NetworkError('network', { cause })
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const data: unknown = await response.json().catch(() => undefined)
  return new ApiError('refused', { reply: { ok: false, status: response.status, data } })
}
