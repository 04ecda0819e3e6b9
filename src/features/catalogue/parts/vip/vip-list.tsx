import { useMemo } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { usePageTitle } from '../../../../browser/page-title.ts'
import { dayOf } from '../../../../platform/time/site-time.ts'
import { readFilters } from '../../search/listing-address.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import { type ListSite, type CallSearch, ListError } from '../list/list-query.ts'
import { listTitle } from '../../search/filters-in-words.ts'
import { Listing, ListingHead, type ListMemory } from '../listing/listing.tsx'
import '../listing/listing.css'
import './vip-list.css'
import { current, subscribeSession } from '../../../../browser/session-store.ts'
import { rolesOpen } from '../../../office/viewer/can-access.ts'
import type { ListStore } from '../list/list-store.ts'
import { storeOfTab } from '../list/use-list.ts'
import { callAsVip } from './call-as-vip.ts'

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

/** Searches with the bearer; no cache keeps the answer. */
const searchAsVip: CallSearch = async (path, signal) => {
  const token = current().session?.token
  if (token === undefined) throw new ListError('Invalid server response')
  const reply = await callAsVip(path, { token, signal }).catch((cause: unknown) => {
    throw new ListError('Invalid server response', { cause })
  })
  if (!reply.ok) throw new ListError('Invalid server response', { cause: reply.status })
  return reply.data
}

/** Undefined until the first VIP list of this tab is opened. */
let store: ListStore | undefined

/**
 * The VIP lists of this tab, which belong to a session: they are forgotten when it ends or another begins, in whatever
 * tab, and when the server has said that its member may not see them any longer.
 */
function openStore(): ListStore {
  if (store !== undefined) return store
  const opened = storeOfTab(searchAsVip)
  let token = current().session?.token
  subscribeSession(() => {
    const { session, access } = current()
    const isOver = access.state === 'known' && !rolesOpen('vip', access)
    if (session?.token === token && !isOver) return
    token = session?.token
    opened.clear()
  })
  store = opened
  return opened
}

/** VIP lists are kept in the memory of the tab alone, never in the storage of the browser. */
const vipMemory: ListMemory = { openStore, callSearch: searchAsVip }
