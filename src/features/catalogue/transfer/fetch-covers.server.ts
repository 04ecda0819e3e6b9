import { isAppError } from '../../../platform/errors.ts'
import { CoverFetchError } from '../covers/cover-source.server.ts'
import { readPicture } from '../covers/read-picture.server.ts'
import { storeCover } from '../covers/store-cover.server.ts'
import { isForeignCover } from '../item/cover-address.ts'
import type { ImportRow } from './import-file.server.ts'
import { planBatch } from './plan-batch.server.ts'
import type { ImportingApp, ImportRun } from './open-import-run.server.ts'

export type FetchedCovers = ReadonlyMap<string, { hash: string } | { fault: string }>

const atOnce = 4
export const noCovers: FetchedCovers = new Map()

export function asksForCover({ cells }: ImportRow): boolean {
  return isForeignCover((cells['cover'] ?? '').trim())
}

/**
 * Fetches and stores the pictures of the rows that are about to be written, before the transaction that writes them: nobody
 * waits for other hosts. Pictures whose row is then not written are swept away.
 */
export async function fetchCovers(app: ImportingApp, run: ImportRun, rows: ImportRow[]): Promise<FetchedCovers> {
  if (!rows.some(asksForCover)) return noCovers
  const { inserts, updates } = await planBatch(app, app.db, run, rows)
  const addresses = new Set(
    [...inserts, ...updates].flatMap(({ item: { cover } }) => (cover !== null && isForeignCover(cover) ? [cover] : [])),
  )
  const fetched = new Map<string, { hash: string } | { fault: string }>()
  const left = addresses.values()
  const fetchRest = async (): Promise<void> => {
    for (const address of left) fetched.set(address, await fetchOne(app, address))
  }
  await Promise.all(Array.from({ length: atOnce }, fetchRest))
  return fetched
}

async function fetchOne(app: ImportingApp, address: string): Promise<{ hash: string } | { fault: string }> {
  try {
    return { hash: await storeCover(app, await readPicture(await app.coverSource.fetch(address))) }
  } catch (error) {
    if (error instanceof CoverFetchError) return { fault: error.message }
    // A picture that is none is the row's fault; a store that fails is not.
    if (isAppError(error) && error.status === 422) return { fault: `was fetched. ${error.message}` }
    throw error
  }
}
