/** The fields of an item that hold a link, as answers, addresses and columns of a file name them. Browser-safe. */
export const linkSlots = ['link', 'link2', 'linkG', 'linkP', 'linkMV1', 'linkMV2', 'linkMV3', 'linkMV4'] as const
export type LinkSlot = (typeof linkSlots)[number]

export function isLinkSlot(text: string): text is LinkSlot {
  return linkSlots.some((slot) => slot === text)
}

/** The slots of each file host, the first choice first (docs/spec/pages.md#download-buttons). */
export const slotsOfHosts = [
  { host: 'A', slots: ['link', 'linkMV1'] },
  { host: 'B', slots: ['linkG', 'linkMV3'] },
  { host: 'C', slots: ['linkP', 'linkMV2'] },
] as const satisfies readonly { host: string; slots: readonly LinkSlot[] }[]
