import { useMemo } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { usePageTitle } from '../../../../browser/page-title.ts'
import { dayOf } from '../../../../platform/time/site-time.ts'
import { readFilters } from '../../search/listing-address.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import type { ListSite } from '../list/list-query.ts'
import { listTitle } from '../../search/filters-in-words.ts'
import { Listing, ListingHead } from '../listing/listing.tsx'
import { vipMemory } from './vip-lists.ts'
import '../listing/listing.css'
import './vip-list.css'

type SiteOfList = Omit<ListSite, 'today'>

/** A list of the VIP area. It stands behind the guard: its page comes without a row, and the bearer brings them. */
export function VipList({ shelf, level = 1 }: { shelf: Shelf; level?: 1 | 2 }) {
  const facts = useRouteLoaderData<SiteOfList>('root')
  const { search } = useLocation()
  const site = useMemo<ListSite | undefined>(() => facts && { ...facts, today: todayIn(facts.timeZone) }, [facts])
  usePageTitle(listTitle(shelf.name, readFilters(shelf, search)))
  if (site === undefined) return null
  return (
    <div className="vip-list">
      <ListingHead shelf={shelf} level={level} />
      <Listing key={shelf.path} shelf={shelf} memory={vipMemory} first={undefined} site={site} />
    </div>
  )
}

function todayIn(timeZone: string): string {
  return dayOf(Date.now(), timeZone)
}
