import { useId, useRef } from 'react'
import { useRouteLoaderData } from 'react-router'
import { ApiError } from '../../../../browser/api-client.ts'
import { useApiQuery } from '../../../../browser/queries.ts'
import { vipRow } from '../../shelves/vip-shelves.ts'
import { entriesOf } from '../list/by-day.ts'
import { EntryList } from '../list/entry-list.tsx'
import type { ListSite } from '../list/list-query.ts'
import { readPage } from '../list/request-page.ts'
import { RowPrefetch } from '../list/row-prefetch.tsx'
import { callAsVip } from './call-as-vip.ts'
import '../listing/listing.css'
import './vip-list.css'

const path = '/universal-search/search?shelf=vip-first&sortOrder=ASC'

/** The free entries of early access, the next to open first; nothing while there are none (docs/spec/pages.md#vip-chooser). */
export function VipFirst() {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const facts = useRouteLoaderData<Pick<ListSite, 'timeZone'>>('root')
  const { data: page } = useApiQuery({
    path,
    fetch: async (token, signal) => {
      const reply = await callAsVip(path, { token, signal })
      const { data } = (reply.data ?? {}) as { data?: unknown }
      if (!reply.ok || typeof data !== 'string') throw new ApiError('refused', { reply })
      return readPage(data, facts?.timeZone ?? 'UTC')
    },
    isEnabled: facts !== undefined,
    isForgotten: true,
  })
  if (page === undefined || page.rows.length === 0) return null
  return (
    <section className="vip-list vip-first" aria-labelledby={id}>
      <div className="listing-head">
        <div>
          <h2 id={id}>VIP first</h2>
          <p>Yours now. Each opens to everybody on the date above it.</p>
        </div>
      </div>
      <div ref={list} className="listing">
        <RowPrefetch list={list} />
        <EntryList entries={entriesOf([page])} newest={0} look={vipRow} isStale={false} />
      </div>
    </section>
  )
}
