import { ApiError } from '../../../../browser/api-client.ts'
import { regions } from '../../item/content-type.ts'
import { decodePayload } from '../../item/encoding.ts'
import { VipItem } from '../../item/item-with-links-schema.ts'
import type { VipPage } from '../../item/vip-page.ts'
import { callAsVip } from './call-as-vip.ts'

/**
 * A VIP item by its slug, wherever it belongs: the endpoint of the asian region is asked first, then that of the western
 * one; the page of VIP Western asks its own first. Null when neither has it (docs/spec/pages.md#vip-details).
 * @throws {ApiError} for everything else that can come
 */
export async function fetchVipItem(
  { page, slug, clientKey }: { page: VipPage; slug: string; clientKey: string },
  token: string,
  signal: AbortSignal,
): Promise<VipItem | null> {
  const inTurn = page === 'vip-western' ? regions.toReversed() : regions
  for (const region of inTurn) {
    const reply = await callAsVip(`/vip-${region}content/${encodeURIComponent(slug)}`, { token, clientKey, signal })
    if (reply.status === 404) continue
    if (!reply.ok) throw new ApiError('refused', { reply })
    return readItem(reply.data)
  }
  return null
}

function readItem(answer: unknown): VipItem {
  const { data } = (answer ?? {}) as { data?: unknown }
  if (typeof data !== 'string') throw new ApiError('unreadable')
  try {
    return VipItem.parse(decodePayload(data))
  } catch (cause) {
    console.error('The answer of an item does not have its shape.', cause)
    throw new ApiError('unreadable', { cause })
  }
}
