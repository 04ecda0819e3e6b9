import { pathOfAnyItem, vipItemPath } from '../../catalogue/item/vip-page.ts'
import { searchPage } from '../../catalogue/search/search-items.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp } from '../app.ts'
import type { SimilarToTitle } from './request-schema.ts'

const mostShown = 3

/**
 * The items that answer a title best, or one that is spelled a little otherwise, among those that this member may see: the work
 * may be there already. It counts for no search without a result, since nobody has searched.
 */
export async function findItemsByTitle(
  app: RequestsApp,
  viewer: Viewer,
  { title }: { title: string },
): Promise<SimilarToTitle['items']> {
  const search = (text: string) =>
    searchPage(app, viewer, { text, byFit: true, ascending: false, page: 1, limit: mostShown })
  const found = await search(title)
  const [best] = found.didYouMean ?? []
  const { items } = best === undefined ? found : await search(best.text)
  return items.map(({ row }) => ({
    name: row.name,
    path: row.vipFirst === true ? vipItemPath(row) : pathOfAnyItem(row),
    ...(row.creators === undefined ? {} : { creators: row.creators }),
  }))
}
