import type { FileHost } from '../catalogue-config.server.ts'
import { type LinkPlace, placeOf } from './file-hosts.ts'
import { type MirrorSlot, slotsOfHosts } from './link-slots.ts'

/** The six slots that the page of a VIP item shows: each file host's own, then their alternates. */
const slots = [0, 1].flatMap((place) =>
  Object.values(slotsOfHosts).map((ofHost) => ({ slot: ofHost[place as 0 | 1], isAlternate: place === 1 })),
)

export interface VipLink extends Pick<LinkPlace, 'label' | 'site'> {
  slot: MirrorSlot
  url: string
}

/**
 * The direct links of a VIP item, each slot that holds one (docs/spec/pages.md#vip-details). A value that is no web address
 * is left out. Each is labelled with the host to which it leads, 'alternate' in a second slot, and a number where that stands already.
 */
export function vipLinksOf(item: Record<MirrorSlot, string | null>, hosts: readonly FileHost[]): VipLink[] {
  const times = new Map<string, number>()
  return slots.flatMap(({ slot, isAlternate }) => {
    const url = item[slot]
    if (url === null || !isWebAddress(url)) return []
    const { label: host, site } = placeOf(url, hosts)
    const label = `${host}${isAlternate ? ' alternate' : ''}`
    const time = (times.get(label) ?? 0) + 1
    times.set(label, time)
    return [{ slot, url, site, label: time === 1 ? label : `${label} ${time}` }]
  })
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
