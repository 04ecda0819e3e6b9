import type { Transaction } from 'kysely'
import type { CatalogueDatabase } from '../app.ts'
import { markRemoved } from '../publishing/change-status.server.ts'
import { blockLinks } from './block-links.server.ts'
import { type RemovalAnswer, type RemovedByOne, writeRemovals } from './remove-items.server.ts'
import { readItems } from './hold-items.server.ts'

/** A removal that the database has lost, as it was recorded outside of it. */
export interface LostRemoval {
  id: string
  itemId: string
  reference: string
  answer: RemovalAnswer
  /** The reason on the tombstone, in words. */
  kind: string
  removedAt: string
  /** The fingerprints of the links that it blocks. */
  links: readonly string[]
}

/**
 * Repeats removals that the database has lost, under their old ids: items go, their links are blocked. The caller holds the catalogue's lock, and lets the listing catch up.
 * @param given.lost removals that the database does not know
 * @param given.incomplete known ones with an item on the site or free links
 * @returns the items taken off the site
 */
export async function removeAgain(
  trx: Transaction<CatalogueDatabase>,
  { lost, incomplete }: { lost: readonly LostRemoval[]; incomplete: readonly LostRemoval[] },
): Promise<string[]> {
  const taken: string[] = []
  for (const removal of lost) {
    const [item] = await readItems(trx, [removal.itemId])
    const { id, itemId, answer, links, ...rest } = removal
    const made: RemovedByOne = {
      ...rest,
      by: 'system',
      isNamed: answer !== 404,
      removals: [{ id, itemId, item, answer, links }],
    }
    const swept = await writeRemovals(trx, made)
    if (item?.status === 'published') taken.push(itemId)
    taken.push(...swept.flatMap(({ id: other, wasPublished }) => (wasPublished ? [other] : [])))
  }
  if (incomplete.length === 0) return taken
  const removed = await markRemoved(
    trx,
    incomplete.map(({ itemId }) => itemId),
  )
  taken.push(...removed)
  const blockings = incomplete.map(({ id, links }) => ({ removalId: id, fingerprints: links }))
  const swept = await blockLinks(trx, blockings, 'system')
  return [...taken, ...swept.flatMap(({ id, wasPublished }) => (wasPublished ? [id] : []))]
}
