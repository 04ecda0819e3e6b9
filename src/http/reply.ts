import type { FileReply, JsonReply } from './route.ts'

/** An object as JSON, with status 200 where no other is named. */
export function jsonReply(
  answer: object,
  { status = 200, headers }: { status?: number; headers?: Record<string, string> } = {},
): JsonReply {
  return { status, body: () => JSON.stringify(answer), ...(headers === undefined ? {} : { headers }) }
}

/** Done, and nothing to say: 204. */
export function emptyReply(headers: Record<string, string> = {}): JsonReply {
  return { status: 204, body: () => '', headers }
}

/** A file, made while it is sent. */
export function fileReply(file: AsyncIterable<string | Uint8Array>, facts: Omit<FileReply, 'file'>): FileReply {
  return { file, ...facts }
}
