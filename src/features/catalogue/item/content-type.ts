/**
 * The kinds of item, and where each is shown (docs/spec/words.md#content-types). Browser-safe and without dependencies.
 */

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

/** The region that a type implies; undefined where the operator chooses. */
export function regionOfType(contentType: string): Region | undefined {
  return regions.find((region) => contentType === region || contentType === `vip-${region}`)
}

/** The categories that an item of such a type may have, the usual one first; any other type may have every category. */
const categoriesByType: Partial<Record<ContentType, readonly [string, ...string[]]>> = {
  banned: ['Banned'],
  unknown: ['Unknown'],
  'vip-banned': ['VIP Banned', 'Banned'],
  'vip-unknown': ['VIP Unknown', 'Unknown'],
}

/**
 * The categories of which an item of this type needs one to be on a page (docs/spec/catalogue.md#type-and-category),
 * when it has none of them; undefined when its category is right.
 */
export function categoriesMissed(item: { contentType: ContentType; category: string }): readonly string[] | undefined {
  const allowed = categoriesByType[item.contentType]
  const category = item.category.toLowerCase()
  return allowed?.some((name) => name.toLowerCase() === category) === false ? allowed : undefined
}

/** The free page on which an item is read: `banned` of `/banned/{slug}`. */
export type FreePage = FreeContentType

/** The page that the first part of a path names; `western` where it names none. */
export function freePageAt(pathname: string): FreePage {
  const [, first] = pathname.split('/')
  return freeContentTypes.find((page) => page === first) ?? 'western'
}

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
