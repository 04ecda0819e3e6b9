import type { IncomingMessage } from 'node:http'
import { slowRequest } from './connections/unreadable.ts'
import { refuseLongBody, tooLarge } from './body.ts'
import { beginUpload, endUpload } from './connections/uploads.ts'
import { defaultMaxBodyBytes } from './route.ts'

/** How long nothing may come, and how long a whole upload may take: 200 MiB at 60 KiB a second. */
export interface UploadTimes {
  silentMs: number
  wholeMs: number
}

const usualUploadTimes: UploadTimes = { silentMs: 30_000, wholeMs: 60 * 60_000 }

interface UploadOptions {
  maxBytes: number | undefined
  times: UploadTimes | undefined
  beforePiece: () => Promise<void>
  onWhole: () => void
}

/** A route stores several times what it reads, so the disk is looked at this often. */
const pieceBytes = 128 * 1024

/** A body that its route reads while it arrives. Nothing of it is read before the route asks. */
export class Upload implements AsyncIterable<Buffer> {
  readonly #request: IncomingMessage
  readonly #maxBytes: number
  readonly #times: UploadTimes
  readonly #beforePiece: () => Promise<void>
  readonly #onWhole: () => void

  /**
   * @param beforePiece is called before each piece of 128 KiB; what it throws ends the upload
   * @param onWhole is called when it has been read to its end
   * @throws {AppError} `body.too_large`, 413, where the headers say so already
   */
  constructor(
    request: IncomingMessage,
    { maxBytes = defaultMaxBodyBytes, times = usualUploadTimes, beforePiece, onWhole }: UploadOptions,
  ) {
    refuseLongBody(request, maxBytes)
    this.#request = request
    this.#maxBytes = maxBytes
    this.#times = times
    this.#beforePiece = beforePiece
    this.#onWhole = onWhole
    beginUpload(request.socket)
  }

  /** The connection is like every other from now on. */
  release(): void {
    endUpload(this.#request.socket)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const startedAt = performance.now()
    // The stream goes with its socket: it must live on for the answer.
    const pieces = this.#request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    let bytes = 0
    let nextPieceAt = 0
    for (;;) {
      if (bytes >= nextPieceAt) {
        await this.#beforePiece()
        nextPieceAt = bytes + pieceBytes
      }
      const left = this.#times.wholeMs - (performance.now() - startedAt)
      const next = await inTime(pieces.next(), Math.min(left, this.#times.silentMs))
      if (next.done === true) break
      bytes += next.value.length
      if (bytes > this.#maxBytes) throw tooLarge(this.#maxBytes)
      yield next.value
    }
    this.#onWhole()
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(slowRequest()), Math.max(ms, 0))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // Abandoned work may fail with the connection.
    work.catch(() => undefined)
  }
}
