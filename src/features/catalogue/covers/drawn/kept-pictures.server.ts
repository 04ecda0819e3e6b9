import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { siteBusy } from '../../../../http/rendering.ts'
import { currentRequest } from '../../../../platform/current-request.ts'
import { FairQueue } from '../../../../platform/fair-queue/fair-queue.ts'
import { makePrivateFolder } from '../../../../platform/private-folder.ts'

/** About 60 kB each. */
const most = 2_000
const unfinished = '.unfinished'

const underway = new Map<string, Promise<Buffer>>()

/** Strangers can ask for one of every entry, and each takes a core for a tenth of a second. */
const drawing = new FairQueue({
  atOnce: 1,
  maxWaiting: 20,
  maxWaitMs: 3_000,
  perAddress: 2,
  perNetwork: 4,
  busy: siteBusy,
})

/**
 * A picture that is made once and kept in a folder of the data directory, which holds the 2,000 that were asked for last. It
 * is a cache: it may be deleted at any time, and a disk that refuses it stops nothing.
 * @param content tells the picture: another content is another picture
 * @param cover the hash of the uploaded cover in it
 * @throws {AppError} `site.busy`, 503, where others wait for too many that have yet to be made
 */
export async function keptPicture(
  dataDir: string,
  { content, cover = 'drawn' }: { content: string; cover?: string | undefined },
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  const folder = folderIn(dataDir)
  const path = join(folder, `${cover}-${createHash('sha256').update(content).digest('hex').slice(0, 40)}.png`)
  const known = (await readKept(path)) ?? underway.get(path)
  if (known !== undefined) return known
  return drawing.run({ address: currentRequest()?.address }, async () => {
    const begun = underway.get(path) ?? makeAndKeep(folder, path, make).finally(() => underway.delete(path))
    underway.set(path, begun)
    return begun
  })
}

function folderIn(dataDir: string): string {
  return join(dataDir, 'share-pictures')
}

/**
 * Deletes the pictures with a cover that is none any more.
 * @param keeps tells of hashes which of them are still covers
 */
export async function deleteKeptPictures(
  dataDir: string,
  keeps: (hashes: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const names = await readdir(folderIn(dataDir)).catch(() => [])
  const hashOf = (name: string): string => /^([0-9a-f]{32})-/.exec(name)?.[1] ?? ''
  const hashes = [...new Set(names.map(hashOf))].filter((hash) => hash !== '')
  if (hashes.length === 0) return
  const kept = await keeps(hashes)
  for (const name of names) {
    const hash = hashOf(name)
    if (hash !== '' && !kept.has(hash)) await rm(join(folderIn(dataDir), name), { force: true })
  }
}

async function readKept(path: string): Promise<Buffer | undefined> {
  const kept = await readFile(path).catch(() => undefined)
  const now = new Date()
  if (kept !== undefined) await utimes(path, now, now).catch(() => undefined)
  return kept
}

async function makeAndKeep(folder: string, path: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const made = await make()
  await keep(folder, path, made).catch(() => undefined)
  return made
}

async function keep(folder: string, path: string, bytes: Buffer): Promise<void> {
  await makePrivateFolder(folder)
  await prune(folder)
  await writeFile(path + unfinished, bytes, { mode: 0o600 })
  await rename(path + unfinished, path)
}

/** Takes out the tenth that nobody has asked for longest, once the folder is full. */
async function prune(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length < most) return
  const files = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const oldest = files.sort((a, b) => a.at - b.at).slice(0, most / 10)
  for (const { name } of oldest) await rm(join(folder, name), { force: true })
}
