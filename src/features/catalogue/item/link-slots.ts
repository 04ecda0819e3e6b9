/**
 * The link fields of an item, and what their health means for what is offered (docs/spec/links.md). Browser-safe and
 * without dependencies.
 */

/** The link fields, by their names in the HTTP interface. The position of one is its code in tickets: append only. */
export const linkSlots = ['link', 'link2', 'linkG', 'linkP', 'linkMV1', 'linkMV2', 'linkMV3', 'linkMV4'] as const
export type LinkSlot = (typeof linkSlots)[number]

export function isLinkSlot(text: string): text is LinkSlot {
  return linkSlots.some((slot) => slot === text)
}

export const linkOfFormat = linkSlots.flatMap((slot) =>
  (['Format', 'Size', 'Sha256'] as const).map((said) => [`${slot}${said}`, slot] as const),
)

export type ItemLinks = Readonly<Record<LinkSlot, string | null>>

/** The slots of each file host: its own, then its alternate (docs/spec/pages.md#download-buttons). */
export const slotsOfHosts = { A: ['link', 'linkMV1'], B: ['linkG', 'linkMV3'], C: ['linkP', 'linkMV2'] } as const
export type HostLetter = keyof typeof slotsOfHosts
export type MirrorSlot = (typeof slotsOfHosts)[HostLetter][number]

export const mirrorSlots: readonly MirrorSlot[] = Object.values(slotsOfHosts).flat()

/** A link that works, one that failed once, one that failed twice in a row, and one of which nothing is known. */
export const linkStates = ['ok', 'suspect', 'dead', 'unknown'] as const
export type LinkState = (typeof linkStates)[number]

export interface SlotHealth {
  state: LinkState
  /** Instant, ISO 8601; null: it was never checked. */
  checkedAt: string | null
}

/** The health of an item's slots; a slot that is missing was not looked at yet. */
export type ItemHealth = Partial<Record<LinkSlot, SlotHealth>>

export interface OfferedSlot {
  host: HostLetter
  slot: LinkSlot
  state: LinkState
}

/**
 * The one slot of each file host that a free page offers, in the order of the hosts. A dead mirror is passed over while a
 * live one of the same host exists; the only one stays, dead or not (docs/spec/links.md#failover).
 */
export function offeredSlots(links: ItemLinks, health: ItemHealth): OfferedSlot[] {
  return (Object.keys(slotsOfHosts) as HostLetter[]).flatMap((host) => {
    const filled = slotsOfHosts[host].filter((slot) => links[slot] !== null)
    const stateOf = (slot: LinkSlot): LinkState => health[slot]?.state ?? 'unknown'
    const slot = filled.find((candidate) => stateOf(candidate) !== 'dead') ?? filled[0]
    return slot === undefined ? [] : [{ host, slot, state: stateOf(slot) }]
  })
}

export interface MirrorCount extends Record<LinkState, number> {
  /** Different addresses in the slots that details offer. */
  total: number
  /** The oldest of the checks that this is counted from; null: there was none. */
  checkedAt: string | null
}

export function countMirrors(links: ItemLinks, health: ItemHealth): MirrorCount {
  const count: MirrorCount = { total: 0, ok: 0, suspect: 0, dead: 0, unknown: 0, checkedAt: null }
  const counted = new Set<string>()
  for (const slot of mirrorSlots) {
    const address = links[slot]
    if (address === null || counted.has(address)) continue
    counted.add(address)
    const { state, checkedAt } = health[slot] ?? { state: 'unknown', checkedAt: null }
    count.total += 1
    count[state] += 1
    if (checkedAt !== null && (count.checkedAt === null || checkedAt < count.checkedAt)) count.checkedAt = checkedAt
  }
  return count
}
