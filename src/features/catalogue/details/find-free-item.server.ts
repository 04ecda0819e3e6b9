import type { CatalogueApp } from '../app.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import { isVipType, type Region } from '../item/content-type.ts'
import type { SingleItem } from '../index/single-items.server.ts'
import { type AppError, defineError } from '../../../platform/errors.ts'
import { tombstoneSentence } from '../item/tombstone.ts'
import { removedItem } from '../removal/removed-item.server.ts'

/**
 * A free item of a region by its slug, if this viewer may see it now (docs/spec/catalogue.md#reading-an-item). A VIP item is
 * not found here, whoever asks.
 */
export async function findFreeItem(
  app: CatalogueApp,
  viewer: Viewer,
  { slug, region }: { slug: string; region: Region },
): Promise<SingleItem | undefined> {
  const found = await app.listing.findItem(slug, viewer)
  // In early access it is read by the VIP calls.
  if (found !== undefined && app.listing.isVipFirst(found) && !hasRole(viewer, 'admin')) return undefined
  return found !== undefined && !isVipType(found.item.contentType) && found.item.region === region ? found : undefined
}

/** A VIP item of a region by its slug, or a free one of early access, if this viewer may see it now (docs/spec/catalogue.md#reading-an-item). */
export async function findVipItem(
  app: CatalogueApp,
  viewer: Viewer,
  { slug, region }: { slug: string; region: Region },
): Promise<SingleItem | undefined> {
  const found = await app.listing.findItem(slug, viewer)
  if (found === undefined || found.item.region !== region) return undefined
  return isVipType(found.item.contentType) || app.listing.isVipFirst(found) ? found : undefined
}

/**
 * The answer to a call of a removed item; undefined for any other, and for one whose removal is not public: the answer
 * is then that for an unknown slug (docs/spec/publishing.md#tombstones).
 */
export async function removedAnswer(
  app: Pick<CatalogueApp, 'db'>,
  { slug, region, isVip }: { slug: string; region: Region; isVip: boolean },
): Promise<AppError | undefined> {
  const removed = await removedItem(app.db, slug)
  if (removed === undefined || removed.answer === 404) return undefined
  if (removed.region !== region || isVipType(removed.contentType) !== isVip) return undefined
  const { answer, kind, removedAt, reference } = removed
  const refuse = answer === 451 ? removedByLaw : removedByTerms
  return refuse({ details: { kind, removedAt, reference } })
}

const publicRemoval = {
  members: {
    kind: 'why it was removed, in words.',
    removedAt: 'when, as an instant.',
    reference: 'the reference of the notice.',
  },
  remedy: 'Do not ask again. To object, name the reference to the site.',
}
export const removedByLaw = defineError({
  ...publicRemoval,
  code: 'item.removed_legal',
  status: 451,
  sentence: tombstoneSentence(451),
})
export const removedByTerms = defineError({
  ...publicRemoval,
  code: 'item.removed_terms',
  status: 410,
  sentence: tombstoneSentence(410),
})
