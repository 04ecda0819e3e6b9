import * as z from 'zod/mini'
import { Instant } from '../../../../platform/time/instant-schema.ts'
import { ApiError } from '../../../../browser/api-client.ts'
import { regions } from '../../item/content-type.ts'
import { decodePayload } from '../../item/encoding.ts'
import { VipItem } from '../../item/item-with-links-schema.ts'
import type { TombstoneOnPage } from '../../item/tombstone.ts'
import type { VipPage } from '../../item/vip-page.ts'
import { callAsVip } from './call-as-vip.ts'

/**
 * A VIP item by its slug, wherever it belongs: the endpoint of the asian region is asked first, then that of the western
 * one; the page of VIP Western asks its own first. Of one that was removed what stands in its place; null when neither has it (docs/spec/pages.md#vip-details).
 * @throws {ApiError} for everything else that can come
 */
export async function fetchVipItem(
  { page, slug, clientKey }: { page: VipPage; slug: string; clientKey: string },
  token: string,
  signal: AbortSignal,
): Promise<VipItem | RemovedVipItem | null> {
  const inTurn = page === 'vip-western' ? regions.toReversed() : regions
  for (const region of inTurn) {
    const reply = await callAsVip(`/vip-${region}content/${encodeURIComponent(slug)}`, { token, clientKey, signal })
    if (reply.status === 404) continue
    if (reply.status === 451 || reply.status === 410) return { tombstone: readTombstone(reply.status, reply.data) }
    if (!reply.ok) throw new ApiError('refused', { reply })
    return readItem(reply.data)
  }
  return null
}

/** A VIP item that was removed, as far as VIPs are told. */
export interface RemovedVipItem {
  tombstone: Omit<TombstoneOnPage, 'day'> & { removedAt: string }
}

const Removed = z.object({ kind: z.string(), removedAt: Instant, reference: z.string() })

function readTombstone(answer: TombstoneOnPage['answer'], told: unknown): RemovedVipItem['tombstone'] {
  const read = Removed.safeParse(told)
  if (!read.success) throw new ApiError('unreadable', { cause: read.error })
  return { answer, ...read.data }
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
