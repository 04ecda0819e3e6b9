/**
 * A backup is a row of frames (docs/spec/backups.md#format): a letter that says what it is, the length of its content in four
 * bytes, the content.
 */
export interface Frame {
  kind: FrameKind
  content: Buffer
}

const letters = {
  /** Version and migrations, as JSON. */
  head: 'h',
  /** A table whose rows follow: its name and columns, as JSON. */
  table: 't',
  /** Rows of it, as a JSON list of texts. */
  rows: 'r',
  /** Places of all sequences, as JSON. */
  sequences: 's',
  /** The journal of removals, or a piece of it. */
  journal: 'j',
  /** A file of the store whose bytes follow: its name, as JSON. */
  file: 'f',
  bytes: 'b',
  /** The manifest, as JSON; the last one. */
  manifest: 'm',
} as const

export type FrameKind = keyof typeof letters

const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind as FrameKind]))

const headBytes = 5
/** One row may be as large as the database allows; nothing that was written is larger. */
const longestContent = 1024 * 1024 * 1024

/** The stream ended too early, or is not as it was written. The sentence goes after the name of the file. */
export class BackupFault extends Error {}

export function frameOf(kind: FrameKind, content: Buffer | string): Buffer {
  const length = Buffer.byteLength(content)
  const frame = Buffer.allocUnsafe(headBytes + length)
  frame.write(letters[kind], 0, 'latin1')
  frame.writeUInt32BE(length, 1)
  if (typeof content === 'string') frame.write(content, headBytes)
  else content.copy(frame, headBytes)
  return frame
}

/** @throws {BackupFault} where the stream ends within a frame, or holds something else */
export async function* readFrames(pieces: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let kept: Buffer[] = []
  let size = 0
  let wanted = headBytes
  let kind: FrameKind | undefined
  for await (const piece of pieces) {
    kept.push(piece)
    size += piece.length
    while (size >= wanted) {
      const [whole, rest] = split(kept, wanted)
      kept = rest.length === 0 ? [] : [rest]
      size -= wanted
      if (kind === undefined) {
        kind = kinds.get(whole[0] ?? 0)
        const length = whole.readUInt32BE(1)
        if (kind === undefined || length > longestContent) throw new BackupFault('is damaged.')
        wanted = length
      } else {
        yield { kind, content: whole }
        kind = undefined
        wanted = headBytes
      }
    }
  }
  if (size > 0 || kind !== undefined) throw new BackupFault('is cut off.')
}

function split(pieces: readonly Buffer[], at: number): [Buffer, Buffer] {
  const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
  return [all.subarray(0, at), all.subarray(at)]
}
