/** The kinds of item, and where each is shown (PRODUCT.md, sections 1 and 3). Browser-safe and without dependencies. */

export const freeContentTypes = ['asian', 'western', 'banned', 'unknown'] as const
export const vipContentTypes = ['vip', 'vip-asian', 'vip-western', 'vip-banned', 'vip-unknown'] as const
/** The position of a type in this list is its code in the database's packed facets: append only. */
export const contentTypes = [...freeContentTypes, ...vipContentTypes] as const
export const regions = ['asian', 'western'] as const

export type FreeContentType = (typeof freeContentTypes)[number]
export type VipContentType = (typeof vipContentTypes)[number]
export type ContentType = (typeof contentTypes)[number]
export type Region = (typeof regions)[number]

export function isVipType(contentType: string): contentType is VipContentType {
  return contentType.startsWith('vip')
}

/** The free page on which an item is read: `banned` of `/banned/{slug}`. */
export type FreePage = FreeContentType

/**
 * The page a row of a free listing leads to: the one rule for links, canonical addresses and redirects.
 * The type defaults to asian; an asian item of category Banned or Unknown is read on that category's page.
 */
export function freePageOf(item: { contentType?: string; category: string }): FreePage {
  const contentType = item.contentType ?? 'asian'
  if (contentType === 'asian') {
    const category = item.category.toLowerCase()
    return category === 'banned' || category === 'unknown' ? category : 'asian'
  }
  return contentType === 'banned' || contentType === 'unknown' ? contentType : 'western'
}

/** The address of an item. Banned, unknown and VIP items have a path of their own type. */
export function itemPath(item: { contentType?: string; category: string; slug: string }): string {
  const contentType = item.contentType ?? 'asian'
  const page = isVipType(contentType) ? contentType : freePageOf(item)
  return `/${page}/${item.slug}`
}
