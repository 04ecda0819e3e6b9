import { type AnswerSchema, ApiError, isProofAtHand, NetworkError, type Reply } from './api-client.ts'
import { unproved, withProof } from './proof.ts'
import { saveFile } from './save-file.ts'
import { clearToken, current } from './session-store.ts'

/*
 * Files that go to the API and come from it. A link or a form could not carry the token of the session.
 */

/**
 * Uploads a file as the body of a POST. A required proof is requested before it begins.
 * @param onProgress is told the share that has gone out, from 0 to 1
 * @throws {ApiError} whose `cause` is the JSON of a refusal
 */
export async function uploadFile<T>(
  path: string,
  file: Blob,
  schema: AnswerSchema<T>,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<T> {
  const token = current().session?.token
  const isProved = token === undefined || (await isProofAtHand(token, signal))
  const reply = isProved
    ? await withProof(token, signal, () => sendFile(path, file, token, { onProgress, signal }))
    : { ok: false, status: 403, data: unproved }
  const answer = schema.safeParse(reply.data)
  if (!reply.ok) throw new ApiError('refused', { reply, cause: reply.data })
  if (!answer.success) throw new ApiError('unreadable')
  return answer.data
}

function sendFile(
  path: string,
  file: Blob,
  token: string | undefined,
  { onProgress, signal }: { onProgress: ((share: number) => void) | undefined; signal: AbortSignal | undefined },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new NetworkError('network', { cause: signal.reason }))
      return
    }
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
    sent.addEventListener('load', () => resolve(replyOf(sent.status, sent.responseText, token)))
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
  const { content, givenName, ...reply } = await withProof(token, undefined, () => fetchFile(path, token))
  if (content === undefined) throw new ApiError('refused', { reply })
  const name = wantedName ?? givenName ?? 'download'
  saveFile(name, content)
  return name
}

/**
 * Fetches a picture that only a session may see.
 * @returns it as an address of data
 * @throws {ApiError} also when it breaks off
 */
export async function readPicture(path: string, signal: AbortSignal): Promise<string> {
  const token = current().session?.token
  const { content, ...reply } = await fetchFile(path, token, signal)
  if (content === undefined) throw new ApiError('refused', { reply })
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new NetworkError('network', { cause: reader.error })))
    reader.readAsDataURL(content)
  })
}

/** @returns the file, or a refusal without one */
async function fetchFile(
  path: string,
  token: string | undefined,
  signal?: AbortSignal,
): Promise<Reply & { content: Blob | undefined; givenName?: string | undefined }> {
  let response: Response
  let content: Blob
  try {
    response = await fetch(path, {
      cache: 'no-store',
      credentials: 'omit',
      ...(signal === undefined ? {} : { signal }),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
    content = await response.blob()
  } catch (cause) {
    throw new NetworkError('network', { cause })
  }
  if (!response.ok) return { ...replyOf(response.status, await content.text(), token), content: undefined }
  const givenName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { ok: true, status: response.status, data: undefined, content, givenName }
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
