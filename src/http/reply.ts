import type { FileReply, JsonReply } from './route.ts'

/** An object as JSON, with status 200 where no other is named. */
export function jsonReply(
  answer: object,
  { status = 200, headers }: { status?: number; headers?: Record<string, string> } = {},
): JsonReply {
  return { status, body: () => JSON.stringify(answer), ...(headers === undefined ? {} : { headers }) }
}

export const plainText = 'text/plain; charset=utf-8'

export function textReply(text: string, headers: Record<string, string> = {}): JsonReply {
  return { status: 200, mediaType: plainText, body: () => text, headers }
}

/** The answer is at another address, this time: 302. */
export function redirectReply(location: string): JsonReply {
  return { status: 302, mediaType: plainText, body: () => '', headers: { location } }
}

/** Done, and nothing to say: 204. */
export function emptyReply(headers: Record<string, string> = {}): JsonReply {
  return { status: 204, body: () => '', headers }
}

/** A file, made while it is sent. */
export function fileReply(file: AsyncIterable<string | Uint8Array>, facts: Omit<FileReply, 'file'>): FileReply {
  return { file, ...facts }
}
