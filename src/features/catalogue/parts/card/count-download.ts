import { ApiError, callApi } from '../../../../browser/api-client.ts'
import type { LinkSlot } from '../../item/link-slots.ts'

/**
 * Remembers a download that a member has begun by way of the gateway, unless they want none remembered. Nothing waits for it
 * or fails with it.
 */
export async function rememberDownload(token: string, { slug, slot }: { slug: string; slot: LinkSlot }): Promise<void> {
  await report('/account/downloads', token, { slug, slot })
}

/** Counts a direct link that is being opened. The download neither waits for it nor fails with it. */
export async function countDownload(token: string, { slug, slot }: { slug: string; slot: LinkSlot }): Promise<void> {
  await report('/downloads', token, { slug, slot })
}

async function report(path: string, token: string, body: { slug: string; slot: LinkSlot }): Promise<void> {
  try {
    await callApi(path, { method: 'POST', token, body, outlivesPage: true })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
