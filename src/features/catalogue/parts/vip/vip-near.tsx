import { ApiError } from '../../../../browser/api-client.ts'
import { useApiQuery } from '../../../../browser/queries.ts'
import type { VipItem } from '../../item/item-with-links-schema.ts'
import { Neighbours } from '../../item/neighbours-schema.ts'
import { NearEntries } from '../card/near-entries.tsx'
import { callAsVip } from './call-as-vip.ts'

/** The way on from a VIP entry. It comes behind the entry, which does without it where it does not come. */
export function VipNear({
  item: { slug, region },
  path,
  list,
  day,
}: {
  item: Pick<VipItem, 'slug' | 'region'>
  path: string
  list: string
  /** Its day, `YYYY-MM-DD`. */
  day: string
}) {
  const api = `/vip-${region}content/${encodeURIComponent(slug)}/neighbours`
  const { data } = useApiQuery({
    path: api,
    fetch: async (token, signal) => {
      const reply = await callAsVip(api, { token, signal })
      if (!reply.ok) throw new ApiError('refused', { reply })
      const read = Neighbours.safeParse(reply.data)
      if (!read.success) throw new ApiError('unreadable')
      return read.data
    },
    isForgotten: true,
  })
  return <NearEntries neighbours={data} path={path} list={list} day={day} />
}
