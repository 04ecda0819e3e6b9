import { ApiError, callApi } from '../../../../browser/api-client.ts'
import type { LinksBySlot } from '../../item/direct-links.server.ts'
import { decodePayload } from '../../item/encoding.ts'
import { linkSlots } from '../../item/link-slots.ts'

/* A script of its own: only the browsers of VIPs and administrators load it. */

export async function fetchDirectLinks({
  path,
  token,
  signal,
}: {
  path: string
  token: string
  signal: AbortSignal
}): Promise<LinksBySlot | undefined> {
  try {
    const reply = await callApi(path, { token, signal })
    return reply.ok ? linksIn(reply.data) : undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

/** The links in the answer of an item's endpoint; undefined for an answer of another shape. */
export function linksIn(answer: unknown): LinksBySlot | undefined {
  const { data } = (answer ?? {}) as { data?: unknown }
  if (typeof data !== 'string') return undefined
  let item: Record<string, unknown>
  try {
    item = decodePayload(data) as Record<string, unknown>
  } catch {
    return undefined
  }
  const links = Object.fromEntries(
    linkSlots.map((slot) => {
      const link = item[slot]
      return [slot, typeof link === 'string' && /^https?:\/\//i.test(link) ? link : null]
    }),
  )
  return links as LinksBySlot
}
