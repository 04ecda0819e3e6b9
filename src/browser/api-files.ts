import { type AnswerSchema, ApiError, NetworkError, type Reply } from './api-client.ts'
import { saveFile } from './save-file.ts'
import { clearToken, current } from './session-store.ts'

/*
 * Files that go to the API and come from it. A link or a form could not carry the token of the session.
 */

/**
 * Uploads a file as the body of a POST.
 * @param onProgress is told the share that has gone out, from 0 to 1
 * @throws {ApiError} whose `cause` is the JSON of a refusal
 */
export function uploadFile<T>(
  path: string,
  file: Blob,
  schema: AnswerSchema<T>,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<T> {
  const token = current().session?.token
  return new Promise((resolve, reject) => {
    // The other way, fetch, does not tell how much has gone out.
    const sent = new XMLHttpRequest()
    sent.open('POST', path)
    sent.setRequestHeader('accept', 'application/json')
    sent.setRequestHeader('content-type', 'application/octet-stream')
    if (token !== undefined) sent.setRequestHeader('authorization', `Bearer ${token}`)
    if (onProgress !== undefined) {
      sent.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
    }
    sent.addEventListener('error', () => reject(new NetworkError('network')))
    sent.addEventListener('abort', () => reject(new NetworkError('network', { cause: signal?.reason })))
    sent.addEventListener('load', () => {
      const reply = replyOf(sent.status, sent.responseText, token)
      const answer = schema.safeParse(reply.data)
      if (!reply.ok) reject(new ApiError('refused', { reply, cause: reply.data }))
      else if (answer.success) resolve(answer.data)
      else reject(new ApiError('unreadable'))
    })
    signal?.addEventListener('abort', () => sent.abort())
    sent.send(file)
  })
}

/**
 * Fetches a file and gives it to the browser to save.
 * @param wantedName else it has the name that the answer gives it
 * @returns its name
 * @throws {ApiError} also when it breaks off
 */
export async function downloadFile(path: string, wantedName?: string): Promise<string> {
  const token = current().session?.token
  let response: Response
  let content: Blob
  try {
    response = await fetch(path, {
      cache: 'no-store',
      credentials: 'omit',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
    content = await response.blob()
  } catch (cause) {
    throw new NetworkError('network', { cause })
  }
  if (!response.ok) throw new ApiError('refused', { reply: replyOf(response.status, await content.text(), token) })
  const name =
    wantedName ?? /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download'
  saveFile(name, content)
  return name
}

function replyOf(status: number, text: string, token: string | undefined): Reply {
  if (status === 401 && token !== undefined) clearToken(token)
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    // A proxy's own page.
  }
  return { ok: status >= 200 && status < 300, status, data }
}
