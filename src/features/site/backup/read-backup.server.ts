import { createHash } from 'node:crypto'
import { BackupFault, type Frame, frameOf, readFrames } from './frames.ts'
import { backupFormat, type BackupHead, type Manifest } from './manifest.ts'

/** The frames of a backup between its head and its manifest, one after the other. */
export type BackupPart = Exclude<Frame['kind'], 'head' | 'manifest'>

interface BackupReader {
  head(head: BackupHead): Promise<void>
  part(kind: BackupPart, content: Buffer): Promise<void>
}

/**
 * Reads a backup from its beginning to its end.
 * @returns its manifest, which the content agrees with
 * @throws {BackupFault} where it is cut off, damaged, or of a later format; the reader has then seen a part of it
 */
export async function readBackup(pieces: AsyncIterable<Buffer>, reader: BackupReader): Promise<Manifest> {
  const digest = createHash('sha256')
  let head: BackupHead | undefined
  let manifest: Manifest | undefined
  for await (const { kind, content } of readFrames(pieces)) {
    if (manifest !== undefined) throw new BackupFault('is damaged.')
    if (head === undefined) {
      if (kind !== 'head') throw new BackupFault('is damaged.')
      head = parsed(content) as BackupHead
      if (head.format !== backupFormat)
        throw new BackupFault(`has the format ${head.format}, which this version does not read.`)
      await reader.head(head)
    } else if (kind === 'manifest') {
      manifest = parsed(content) as Manifest
      continue
    } else if (kind === 'head') throw new BackupFault('is damaged.')
    else await reader.part(kind, content)
    digest.update(frameOf(kind, content))
  }
  if (manifest === undefined) throw new BackupFault('is cut off.')
  if (manifest.checksum !== digest.digest('hex')) throw new BackupFault('is damaged: its checksum is wrong.')
  return manifest
}

/** @throws {BackupFault} */
export function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString()) as unknown
  } catch (cause) {
    throw new BackupFault('is damaged.', { cause })
  }
}
