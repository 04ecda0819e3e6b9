import { type MirrorSlot, slotsOfHosts } from './link-slots.ts'

/** The six slots that the page of a VIP item shows: each file host's own, then their alternates. */
const slots = [0, 1].flatMap((place) =>
  Object.values(slotsOfHosts).map((ofHost, host) => ({ slot: ofHost[place as 0 | 1], host, isAlternate: place === 1 })),
)

export interface VipLink {
  slot: MirrorSlot
  /** The label of the file host, followed by 'alternate' for its second slot. */
  label: string
  url: string
}

/**
 * The direct links of a VIP item, each slot that holds one (docs/spec/pages.md#vip-details). A value that is no web address
 * is left out.
 * @param hostLabels of the file hosts A, B and C
 */
export function vipLinksOf(item: Record<MirrorSlot, string | null>, hostLabels: readonly string[]): VipLink[] {
  return slots.flatMap(({ slot, host, isAlternate }) => {
    const url = item[slot]
    if (url === null || !isWebAddress(url)) return []
    return [{ slot, url, label: `${hostLabels[host] ?? ''}${isAlternate ? ' alternate' : ''}`.trim() }]
  })
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
