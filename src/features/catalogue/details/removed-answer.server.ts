import { AppError } from '../../../platform/errors.ts'
import type { CatalogueApp } from '../app.ts'
import { isVipType, type Region } from '../item/content-type.ts'
import { tombstoneSentence } from '../item/tombstone.ts'
import { removedItem } from '../removal/removed-item.server.ts'

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
  const message = tombstoneSentence(answer)
  const details = { kind, removedAt, reference }
  return answer === 451
    ? new AppError({ code: 'item.removed_legal', status: answer, message, details })
    : new AppError({ code: 'item.removed_terms', status: answer, message, details })
}
