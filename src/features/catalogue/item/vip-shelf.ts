/**
 * The lists of the VIP area that go by category (docs/spec/search.md#shelf), by the names that the search knows them
 * under, and that of early access. Browser-safe and without dependencies.
 */

export const vipShelfNames = ['vip-banned', 'vip-unknown', 'vip-first'] as const
export type VipShelfName = (typeof vipShelfNames)[number]

/** The categories of which an item of the shelf has one; undefined where it may have any. */
export function shelfCategories(shelf: VipShelfName, hasText: boolean): readonly string[] | undefined {
  if (shelf === 'vip-banned') return ['Banned', 'VIP Banned']
  return hasText || shelf === 'vip-first' ? undefined : ['Unknown', 'VIP Unknown']
}
