import { defineError } from '../../../platform/errors.ts'
import type { CatalogueApp } from '../app.ts'
import { evidenceMedia } from './evidence-media.ts'

interface StoredEvidence {
  file: AsyncIterable<Uint8Array>
  mediaType: string
  name: string
}

/**
 * A file of evidence, as it was stored.
 * @throws {AppError} `evidence.not_found`, `evidence.lost`, 404; `evidence.store`, 503
 */
export async function readEvidence(app: Pick<CatalogueApp, 'db' | 'evidence'>, id: string): Promise<StoredEvidence> {
  const found = await app.db
    .selectFrom('evidence_files')
    .select(['file_name', 'media_type'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw evidenceNotFound()
  const [ending = 'bin'] = evidenceMedia[found.media_type] ?? []
  return {
    file: await app.evidence.read(id),
    mediaType: found.media_type,
    name: `${found.file_name.replace(/\.[^.]*$/, '')}.${ending}`,
  }
}

export const evidenceNotFound = defineError({
  code: 'evidence.not_found',
  status: 404,
  sentence: 'There is no such file.',
  remedy: 'Take the id from the item as administrators see it.',
})
