import type { SiteListQuery } from './list-query.ts'
import type { ListStore } from './list-store.ts'

/** A list in the memory of this tab. */
export interface SeenList {
  store: ListStore
  query: SiteListQuery
}

let last: SeenList | undefined

/** To be called with the list that is looked at. */
export function rememberList(list: SeenList): void {
  last = list
}

/** The list that was looked at last, for the pages of its entries. */
export function lastList(): SeenList | undefined {
  return last
}
