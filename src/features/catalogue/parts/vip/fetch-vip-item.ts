import * as z from 'zod/mini'
import { Instant } from '../../../../platform/time/instant-schema.ts'
import { ApiError, callApi } from '../../../../browser/api-client.ts'
import { itemPath, regions } from '../../item/content-type.ts'
import { decodePayload } from '../../item/encoding.ts'
import { itemFields, VipItem } from '../../item/item-with-links-schema.ts'
import type { TombstoneOnPage } from '../../item/tombstone.ts'
import type { VipPage } from '../../item/vip-page.ts'
import { callAsVip } from './call-as-vip.ts'

/**
 * A VIP item by its slug: from the endpoint of the asian region first, then of the western one; VIP Western asks its
 * own first. A removed item gives its tombstone; null when neither has it (docs/spec/pages.md#vip-details). `/vip` also
 * looks for a former VIP item that is free by now.
 * @throws {ApiError} for every other refusal
 */
export async function fetchVipItem(
  { page, slug }: { page: VipPage; slug: string },
  token: string,
  signal: AbortSignal,
): Promise<VipItem | RemovedVipItem | MovedItem | null> {
  const inTurn = page === 'vip-western' ? regions.toReversed() : regions
  for (const region of inTurn) {
    const reply = await callAsVip(`/vip-${region}content/${encodeURIComponent(slug)}`, { token, signal })
    if (reply.status === 404) continue
    if (reply.status === 451 || reply.status === 410) return { tombstone: readTombstone(reply.status, reply.data) }
    if (!reply.ok) throw new ApiError('refused', { reply })
    return readItem(reply.data, VipItem)
  }
  return page === 'vip' ? findFree(slug, signal) : null
}

/** An item that is read at another address. */
export interface MovedItem {
  movedTo: string
}

async function findFree(slug: string, signal: AbortSignal): Promise<MovedItem | null> {
  for (const region of regions) {
    const path = `/${region}content/${encodeURIComponent(slug)}`
    const reply = await callApi(path, { signal, isPublic: true })
    if (reply.ok) return { movedTo: itemPath(readItem(reply.data, Item)) }
    if (reply.status !== 404 && reply.status !== 410 && reply.status !== 451) throw new ApiError('refused', { reply })
  }
  return null
}

export interface RemovedVipItem {
  tombstone: Omit<TombstoneOnPage, 'day'> & { removedAt: string }
}

const Removed = z.object({ kind: z.string(), removedAt: Instant, reference: z.string() })

function readTombstone(answer: TombstoneOnPage['answer'], given: unknown): RemovedVipItem['tombstone'] {
  const read = Removed.safeParse(given)
  if (!read.success) throw new ApiError('unreadable', { cause: read.error })
  return { answer, ...read.data }
}

const Item = z.object(itemFields)

function readItem<Schema extends z.ZodMiniType>(answer: unknown, schema: Schema): z.output<Schema> {
  const { data } = (answer ?? {}) as { data?: unknown }
  if (typeof data !== 'string') throw new ApiError('unreadable')
  try {
    return schema.parse(decodePayload(data))
  } catch (cause) {
    console.error('The answer of an item does not have its shape.', cause)
    throw new ApiError('unreadable', { cause })
  }
}
