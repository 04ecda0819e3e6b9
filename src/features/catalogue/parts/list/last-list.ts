import type { SiteListQuery } from './list-query.ts'
import type { ListStore } from './list-store.ts'

export interface SeenList {
  store: ListStore
  query: SiteListQuery
}

let last: SeenList | undefined

export function rememberList(list: SeenList): void {
  last = list
}

export function lastList(): SeenList | undefined {
  return last
}
