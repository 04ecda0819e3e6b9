import type { FileHost, GatewayProvider } from '../../catalogue-config.server.ts'
import { placeOf } from '../../item/file-hosts.ts'
import type { VipItem } from '../../item/item-with-links-schema.ts'
import { isVipType } from '../../item/content-type.ts'
import { countMirrors, type ItemLinks, linkSlots, offeredSlots } from '../../item/link-slots.ts'
import type { ItemDetail } from '../../item/listing.ts'
import { factsOnPage, mirrorsOnPage } from '../../item/item-on-page.ts'
import type { ItemForAdmin } from '../../editing/content-schema.ts'
import { standingInWords } from '../../editing/parts/content-words.ts'

export interface SiteOfPreview {
  timeZone: string
  fileHosts: readonly FileHost[]
}

const dayMs = 86_400_000

const notRecorded = 'Not recorded yet'

function linksOf(item: ItemForAdmin): { [Slot in keyof ItemLinks]: string | null } {
  return Object.fromEntries(
    linkSlots.map((slot) => [slot, item[slot] === '' ? null : (item[slot] ?? null)]),
  ) as ItemLinks
}

/**
 * An entry of any status as its free page would have it. No link of it was checked, and each leads straight to its file:
 * the gateway knows none that is not published.
 */
export function detailOf(
  item: ItemForAdmin,
  gateway: { provider: GatewayProvider; waitSeconds: number },
  { timeZone, fileHosts }: SiteOfPreview,
): ItemDetail & { links: ItemLinks } {
  const links = linksOf(item)
  return {
    ...item,
    links,
    ...factsOnPage({ ...item, rights: rightsOf(item) }, timeZone),
    downloads: offeredSlots(links, {}).flatMap((offered) => {
      const url = links[offered.slot]
      if (url === null) return []
      const { label, site, isFileHost } = placeOf(url, fileHosts)
      const file = { format: item[`${offered.slot}Format`], size: item[`${offered.slot}Size`] }
      return [{ ...offered, ...file, url, label, site, isGated: isFileHost && gateway.provider !== 'off' }]
    }),
    gateway,
    mirrors: mirrorsOnPage(countMirrors(links, {}), timeZone),
  }
}

/** An entry of any status as its page of the VIP area would have it. */
export function vipItemOf(item: ItemForAdmin): VipItem {
  return { ...item, ...linksOf(item), rights: rightsOf(item), health: {} }
}

/** A published entry has a basis; any other says that it has none. */
function rightsOf({ rights: { basis, holder, licence } }: ItemForAdmin): VipItem['rights'] {
  return { holder, licence, basis: basis ?? notRecorded }
}

/** The audience of the entry now, as the bar of its preview says it. VIPs have a free one of early access before its day. */
export function audienceInWords(
  item: Pick<ItemForAdmin, 'status' | 'restriction' | 'postDate' | 'contentType'>,
  { now, earlyAccessDays }: { now: number; earlyAccessDays: number },
): string {
  const postedAt = Date.parse(item.postDate)
  const isVip = isVipType(item.contentType)
  if (item.status === 'published' && postedAt <= now && !isVip) return 'It is published, and looks like this.'
  const isForVips = item.status === 'published' && postedAt <= now + (isVip ? 0 : earlyAccessDays * dayMs)
  const standing = standingInWords(item, now)
  return isForVips ? `${standing}: VIPs alone see it now.` : `${standing}: nobody but administrators sees it now.`
}
