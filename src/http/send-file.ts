import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileReply } from './route.ts'
import type { Exchange } from './server-parts.ts'

/** A file whose first piece is there, so that a source that fails at once is answered like any error. */
export interface StartedFile extends FileReply {
  pieces: AsyncGenerator<string | Uint8Array>
}

/** Waits for the first piece. */
export async function startFile(reply: FileReply): Promise<StartedFile> {
  const source = reply.file[Symbol.asyncIterator]()
  const first = await source.next()
  async function* pieces(): AsyncGenerator<string | Uint8Array> {
    try {
      for (let next = first; next.done !== true; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { ...reply, pieces: pieces() }
}

/** An attachment with this name (RFC 6266); one that is not plain ASCII has a second form, in UTF-8 (RFC 8187). */
function attachmentOf(name: string): string {
  const plain = name.replaceAll(/[^ -~]|["%\\]/gu, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}

/**
 * Sends a file while it is made. When the caller goes away, the source ends; when the source fails, the connection breaks, and
 * the caller sees that the file is not whole.
 * @throws what the source throws; not where the caller has gone
 */
export async function sendFile(
  { incoming, outgoing }: Exchange,
  { pieces, mediaType, name }: StartedFile,
): Promise<void> {
  outgoing.writeHead(200, {
    'content-type': mediaType,
    'content-disposition': attachmentOf(name),
    'cache-control': 'no-store',
  })
  if (incoming.method === 'HEAD') {
    outgoing.end()
    // A generator that has not begun runs no `finally`: it begins.
    await pieces.next()
    await pieces.return(undefined)
    return
  }
  await pipeline(Readable.from(pieces, { objectMode: false }), outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
