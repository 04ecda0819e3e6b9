import { ApiError, callApi } from '../../../../browser/api-client.ts'
import type { LinkSlot } from '../../item/link-slots.ts'

/** Counts a direct link that is being opened. Whoever downloads is not held up by it, nor told that it failed. */
export async function tellOpened(token: string, { slug, slot }: { slug: string; slot: LinkSlot }): Promise<void> {
  try {
    await callApi('/downloads', { method: 'POST', token, body: { slug, slot }, outlivesPage: true })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
