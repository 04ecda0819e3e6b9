import { current, subscribeSession } from '../../../../browser/session-store.ts'
import { rolesOpen } from '../../../office/viewer/can-access.ts'
import { type CallSearch, ListError } from '../list/list-query.ts'
import type { ListStore } from '../list/list-store.ts'
import { storeOfTab } from '../list/use-list.ts'
import type { ListMemory } from '../listing/listing.tsx'
import { callAsVip } from './call-as-vip.ts'

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
export const vipMemory: ListMemory = { openStore, callSearch: searchAsVip }
