/** The six slots that the page of a VIP item shows, by file host, its own link first. */
const slots = [
  { field: 'link', host: 0, isAlternate: false },
  { field: 'linkG', host: 1, isAlternate: false },
  { field: 'linkP', host: 2, isAlternate: false },
  { field: 'linkMV1', host: 0, isAlternate: true },
  { field: 'linkMV3', host: 1, isAlternate: true },
  { field: 'linkMV2', host: 2, isAlternate: true },
] as const

export type VipSlot = (typeof slots)[number]['field']

export interface VipLink {
  slot: VipSlot
  /** The label of the file host, followed by 'alternate' for its second slot. */
  label: string
  url: string
}

/**
 * The direct links of a VIP item, each slot that holds one (docs/spec/pages.md#vip-details). What is no address of the web
 * is no link.
 * @param hostLabels of the file hosts A, B and C
 */
export function vipLinksOf(item: Record<VipSlot, string | null>, hostLabels: readonly string[]): VipLink[] {
  return slots.flatMap(({ field, host, isAlternate }) => {
    const url = item[field]
    if (url === null || !isWebAddress(url)) return []
    return [{ slot: field, url, label: `${hostLabels[host] ?? ''}${isAlternate ? ' alternate' : ''}`.trim() }]
  })
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
