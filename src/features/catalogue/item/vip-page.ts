import { isVipType, itemPath, type VipContentType } from './content-type.ts'

/** The page of the VIP area on which an item is read: `vip-banned` of `/vip-banned/{slug}`. */
export type VipPage = VipContentType

/**
 * The page that a row of a VIP list leads to (docs/spec/search.md#vip-row-target): the one rule for its links, and for an
 * item that is asked for at another page. The type defaults to asian, and `vip-x` is read as x. A free
 * item of early access is on `/vip/{slug}`.
 */
export function vipPageOf(item: { contentType?: string; category: string; vipFirst?: boolean | undefined }): VipPage {
  if (item.vipFirst === true) return 'vip'
  const type = (item.contentType ?? 'asian').toLowerCase().replace(/^vip-/, '')
  if (type === 'western' || type === 'banned' || type === 'unknown') return `vip-${type}`
  if (type === 'vip') return 'vip'
  const category = item.category.toLowerCase().replaceAll(' ', '-')
  return type === 'asian' && (category === 'vip-banned' || category === 'vip-unknown') ? category : 'vip-asian'
}

export function vipItemPath(item: Parameters<typeof vipPageOf>[0] & { slug: string }): string {
  return `/${vipPageOf(item)}/${item.slug}`
}

/** The address of an item, free or VIP, for those who may see both. */
export function pathOfAnyItem(item: { contentType: string; category: string; slug: string }): string {
  return isVipType(item.contentType) ? vipItemPath(item) : itemPath(item)
}
