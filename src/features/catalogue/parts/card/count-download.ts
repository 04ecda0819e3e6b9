import { ApiError, callApi } from '../../../../browser/api-client.ts'
import type { LinkSlot } from '../../item/link-slots.ts'

/** Counts a direct link that is being opened. The download neither waits for it nor fails with it. */
export async function countDownload(token: string, { slug, slot }: { slug: string; slot: LinkSlot }): Promise<void> {
  try {
    await callApi('/downloads', { method: 'POST', token, body: { slug, slot }, outlivesPage: true })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
